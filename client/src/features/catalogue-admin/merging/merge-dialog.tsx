import * as m from '#words/messages.js';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { compareCandidates, type Candidate } from '#contracts/catalogue/duplicate.js';
import type { Merge, MergeKind } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/form/button.js';
import { Dialog, DialogButtons } from '../../../components/dialog/dialog.js';
import { ErrorState, Skeleton } from '../../../components/list/placeholders.js';
import { Notice } from '../../../components/dialog/notice.js';
import { SmallCover } from '../../../domain/covers/small-cover.js';
import { queryOf } from '../../../lib/api/send.js';
import { firstWordsOf } from '../../../lib/api/request-error.js';
import { suggestedSurvivor, sizeOf, useMerge } from './merges.js';

interface MergeDialogProps {
  kind: MergeKind;
  /** Those that may become one. */
  ids: readonly number[];
  onMerged?: (merge: Merge) => void;
  onClose: () => void;
}

/** Asks which one stays, and merges the others into it. */
export function MergeDialog({ kind, ids, onMerged, onClose }: MergeDialogProps) {
  const candidates = useQuery({
    ...queryOf(compareCandidates, { query: { Kind: kind, ids: ids.join(',') } }),
    meta: { inPlace: true },
  });
  return (
    <Dialog
      title={m.catalogue_merge_title({ kind })}
      lead={kind === 'book' ? m.catalogue_merge_lead_books() : m.catalogue_merge_lead_names()}
      onClose={onClose}
    >
      {candidates.isError && !candidates.data ? (
        <ErrorState of={candidates} />
      ) : candidates.data ? (
        <Choice kind={kind} candidates={candidates.data} onMerged={onMerged} onClose={onClose} />
      ) : (
        <div className="flex flex-col gap-3" aria-busy="true">
          {ids.slice(0, 6).map((id) => (
            <Skeleton key={id} width="100%" />
          ))}
        </div>
      )}
    </Dialog>
  );
}

interface ChoiceProps {
  kind: MergeKind;
  candidates: readonly Candidate[];
  onMerged: ((merge: Merge) => void) | undefined;
  onClose: () => void;
}

function Choice({ kind, candidates, onMerged, onClose }: ChoiceProps) {
  const [keep, setKeep] = useState(() => suggestedSurvivor(candidates)?.id);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const merge = useMerge(kind);
  const kept = candidates.find(({ id }) => id === keep);
  const others = candidates.filter(({ id }) => id !== keep && !leftOut.has(id));
  const toggle = (id: number) => {
    const next = new Set(leftOut);
    if (!next.delete(id)) next.add(id);
    setLeftOut(next);
  };
  const send = () => {
    if (!kept || others.length === 0 || merge.isPending) return;
    merge.mutate(
      { body: { keep: kept.id, merge: others.map(({ id }) => id) } },
      {
        onSuccess: (done) => {
          onMerged?.(done);
          onClose();
        },
      },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <fieldset className="flex flex-col min-w-0 max-h-[min(26rem,55vh)] m-0 mb-4 p-0 border-0 overflow-y-auto [&_legend]:p-0 [&_legend]:pb-2 [&_legend]:font-semibold">
        <legend>{m.catalogue_merge_which_stays()}</legend>
        {candidates.map((candidate) => (
          <div
            key={candidate.id}
            className="flex items-center gap-3 border-t border-line data-stays:bg-mark"
            data-stays={candidate.id === keep || undefined}
          >
            <label className="flex-1 flex items-start gap-3 min-w-0 py-3 px-2 cursor-pointer [&>input]:flex-none [&>input]:mt-[0.25em]">
              <input
                type="radio"
                name="keep"
                checked={candidate.id === keep}
                onChange={() => {
                  setKeep(candidate.id);
                  if (leftOut.has(candidate.id)) toggle(candidate.id);
                }}
              />
              {kind === 'book' && (
                <SmallCover bookId={candidate.id} title={candidate.name} className="flex-none w-9" />
              )}
              <Facts candidate={candidate} />
            </label>
            {candidates.length > 2 && candidate.id !== keep && (
              <label className="flex items-center gap-2 min-h-11 pr-2 text-1">
                <input
                  type="checkbox"
                  aria-label={m.catalogue_merge_one_of({ name: candidate.name, id: candidate.id })}
                  checked={!leftOut.has(candidate.id)}
                  onChange={() => toggle(candidate.id)}
                />
                {m.catalogue_merge()}
              </label>
            )}
          </div>
        ))}
      </fieldset>
      {candidates.length < 2 && <Notice look="news">{m.catalogue_merge_others_gone()}</Notice>}
      {merge.isError && <Notice>{firstWordsOf(merge.error)}</Notice>}
      <DialogButtons>
        <Button onClick={onClose}>{m.common_cancel()}</Button>
        <Button
          type="submit"
          look="primary"
          disabled={!kept || others.length === 0}
          busy={merge.isPending}
          className="max-w-full wrap-anywhere"
        >
          {kept ? m.catalogue_merge_into({ count: others.length, name: kept.name }) : m.catalogue_merge()}
        </Button>
      </DialogButtons>
    </form>
  );
}

/** What tells one from the others. */
export function Facts({ candidate }: { candidate: Candidate }) {
  const { id, name, note } = candidate;
  return (
    <span className="flex flex-col min-w-0 wrap-anywhere">
      <span className="font-semibold">{name}</span>
      {note && <span className="text-ink-soft text-1 line-clamp-3">{note}</span>}
      <span className="text-ink-soft text-1 tabular-nums">
        {sizeOf(candidate)} · <span className="whitespace-nowrap">{m.catalogue_record_number({ id })}</span>
      </span>
    </span>
  );
}
