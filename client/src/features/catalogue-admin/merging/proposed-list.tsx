import * as m from '#words/messages.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { findDuplicates, type Duplicate } from '#contracts/catalogue/duplicate.js';
import type { MergeKind } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/form/button.js';
import { EmptyState, ErrorState, Skeleton } from '../../../components/list/placeholders.js';
import { SmallCover } from '../../../domain/covers/small-cover.js';
import { queryOf } from '../../../lib/api/send.js';
import { Facts, MergeDialog } from './merge-dialog.js';
import { REASON_LABELS, useMarkDistinct } from './merges.js';

/** Proposals of a page. */
const SHOWN = 20;

/** What of one kind may be the same, a page at a time. */
export function ProposedList({ kind }: { kind: MergeKind }) {
  /** Where each page before this one began. */
  const [trail, setTrail] = useState<readonly string[]>([]);
  const [after, setAfter] = useState('');
  const found = useQuery({
    ...queryOf(findDuplicates, {
      query: { Kind: kind, pageSize: SHOWN, ...(after !== '' && { After: after }) },
    }),
    placeholderData: keepPreviousData,
  });
  const [merging, setMerging] = useState<readonly number[] | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const turn = (to: string, before: readonly string[]) => {
    setAfter(to);
    setTrail(before);
    list.current?.focus();
  };
  const next = found.data?.next ?? null;
  return (
    <>
      <p className="max-w-measure mb-4 text-ink-soft text-1">{m.catalogue_proposed_lead({ kind })}</p>
      <div
        ref={list}
        tabIndex={-1}
        role="region"
        aria-label={m.catalogue_proposed({ kind })}
        aria-busy={found.isPending}
      >
        {found.isError && !found.data ? (
          <ErrorState of={found} />
        ) : found.data ? (
          found.data.items.length === 0 && next === null ? (
            <EmptyState
              title={trail.length === 0 ? m.catalogue_none_twice({ kind }) : m.catalogue_no_more_proposals()}
            >
              {trail.length === 0
                ? m.catalogue_none_twice_by_name({ kind })
                : m.catalogue_earlier_proposals_done()}
            </EmptyState>
          ) : (
            <ul
              role="list"
              className="flex flex-col gap-4 data-stale:opacity-60"
              data-stale={found.isPlaceholderData || undefined}
            >
              {found.data.items.map((duplicate) => (
                <Proposal
                  key={duplicate.members.map(({ id }) => id).join()}
                  kind={kind}
                  duplicate={duplicate}
                  onMerge={setMerging}
                />
              ))}
            </ul>
          )
        ) : (
          <div className="flex flex-col gap-4 data-stale:opacity-60">
            {Array.from({ length: 4 }, (_, row) => (
              <Skeleton key={row} width={`${90 - row * 10}%`} />
            ))}
          </div>
        )}
      </div>
      {(trail.length > 0 || next !== null) && (
        <div className="flex gap-3 mt-4" role="group" aria-label={m.catalogue_proposed_pages({ kind })}>
          <Button disabled={trail.length === 0} onClick={() => turn(trail.at(-1) ?? '', trail.slice(0, -1))}>
            {m.list_previous()}
          </Button>
          <Button
            disabled={next === null || found.isPlaceholderData}
            onClick={() => next !== null && turn(next, [...trail, after])}
          >
            {m.list_next()}
          </Button>
        </div>
      )}
      {merging && (
        <MergeDialog
          kind={kind}
          ids={merging}
          onClose={() => setMerging(null)}
          onMerged={() => list.current?.focus()}
        />
      )}
    </>
  );
}

interface ProposalProps {
  kind: MergeKind;
  duplicate: Duplicate;
  onMerge: (ids: readonly number[]) => void;
}

function Proposal({ kind, duplicate: { reason, sure, members }, onMerge }: ProposalProps) {
  const ids = members.map(({ id }) => id);
  const names = members.map(({ name }) => name).join(', ');
  const markDistinct = useMarkDistinct(kind);
  return (
    <li className="border border-line rounded" data-proposal={ids.join()}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 px-3 border-b border-line">
        <h3 className="flex-[1_1_16rem] text-1 font-regular text-ink-soft">
          {!sure && <span className="text-ink font-semibold">{m.catalogue_perhaps()} </span>}
          {REASON_LABELS[reason]}
        </h3>
        <div className="flex flex-wrap gap-2 phone:w-full phone:[&>*]:flex-1">
          <Button size="small" aria-label={m.catalogue_merge_of({ names })} onClick={() => onMerge(ids)}>
            {m.catalogue_merge_into_ask()}
          </Button>
          <Button
            size="small"
            look="plain"
            aria-label={m.catalogue_not_same_of({ names })}
            busy={markDistinct.isPending}
            onClick={() => markDistinct.mutate({ body: { kind, ids } })}
          >
            {m.catalogue_not_same()}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,20rem),1fr))] gap-x-6 gap-y-3 p-3">
        {members.map((candidate) => (
          <div key={candidate.id} className="flex items-start gap-3 min-w-0">
            {kind === 'book' && (
              <SmallCover bookId={candidate.id} title={candidate.name} className="flex-none w-12" />
            )}
            <Facts candidate={candidate} />
          </div>
        ))}
      </div>
    </li>
  );
}
