import * as m from '#words/messages.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  DISTINCT_PAIRS_PAGE_SIZE,
  listDistinctPairs,
  type DistinctPair,
} from '#contracts/catalogue/duplicate.js';
import { Button } from '../../../components/form/button.js';
import { Day } from '../../../components/display/day.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { PagedTable } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { queryOf } from '../../../lib/api/send.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { useAllowProposal } from './merges.js';

const nameOf = ({ id, name }: DistinctPair['one']) => (
  <>
    {name} <span className="block text-ink-soft text-1">{m.catalogue_record_number({ id })}</span>
  </>
);

const COLUMNS: readonly ListColumn<DistinctPair>[] = [
  { title: m.common_what(), cell: ({ kind }) => m.catalogue_kind_many({ kind }) },
  { title: m.catalogue_pair_one(), look: 'text', className: 'min-w-40', cell: ({ one }) => nameOf(one) },
  {
    title: m.catalogue_pair_other(),
    look: 'text',
    className: 'min-w-40',
    cell: ({ other }) => nameOf(other),
  },
  { title: m.common_when(), cell: ({ saidAt }) => <Day time={saidAt} /> },
  { title: m.common_by(), cell: ({ saidBy }) => saidBy ?? '–' },
];

/** Pairs that somebody found not to be the same, so that they are proposed no more. */
export function DistinctList({ address }: { address: PageAddress }) {
  const { pageNumber } = address[0];
  const pairs = useQuery({
    ...queryOf(listDistinctPairs, { query: { pageNumber, pageSize: DISTINCT_PAIRS_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const list = useList(address, pairs, DISTINCT_PAIRS_PAGE_SIZE);
  const allowProposal = useAllowProposal();
  const takeBack: ListColumn<DistinctPair> = {
    title: m.catalogue_take_back(),
    look: 'action',
    cell: (pair) => (
      <Button
        size="small"
        busy={allowProposal.isPending && allowProposal.variables === pair}
        aria-label={m.catalogue_take_back_of({ one: pair.one.name, other: pair.other.name })}
        onClick={() => allowProposal.mutate(pair)}
      >
        {m.catalogue_take_back()}
      </Button>
    ),
  };
  return (
    <PagedTable
      list={list}
      pagesLabel={m.catalogue_pairs_pages()}
      empty={<EmptyState title={m.catalogue_no_pairs()}>{m.catalogue_no_pairs_hint()}</EmptyState>}
      table={{
        columns: [...COLUMNS, takeBack],
        keyOf: ({ kind, one, other }) => `${kind} ${one.id} ${other.id}`,
        waiting: 6,
      }}
    />
  );
}
