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
import { KIND_LABELS, useAllowProposal } from './merges.js';

const nameOf = ({ id, name }: DistinctPair['one']) => (
  <>
    {name} <span className="block text-ink-soft text-1">no. {id}</span>
  </>
);

const COLUMNS: readonly ListColumn<DistinctPair>[] = [
  { title: 'What', cell: ({ kind }) => KIND_LABELS[kind].many },
  { title: 'One', look: 'text', className: 'min-w-40', cell: ({ one }) => nameOf(one) },
  { title: 'Other', look: 'text', className: 'min-w-40', cell: ({ other }) => nameOf(other) },
  { title: 'When', cell: ({ saidAt }) => <Day time={saidAt} /> },
  { title: 'By', cell: ({ saidBy }) => saidBy ?? '–' },
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
    title: 'Take back',
    look: 'action',
    cell: (pair) => (
      <Button
        size="small"
        busy={allowProposal.isPending && allowProposal.variables === pair}
        aria-label={`Take back: ${pair.one.name}, ${pair.other.name}`}
        onClick={() => allowProposal.mutate(pair)}
      >
        Take back
      </Button>
    ),
  };
  return (
    <PagedTable
      list={list}
      pagesLabel="Pages of pairs"
      empty={
        <EmptyState title="No pairs kept apart">
          Pairs you mark “Not the same” are listed here. You can change your mind.
        </EmptyState>
      }
      table={{
        columns: [...COLUMNS, takeBack],
        keyOf: ({ kind, one, other }) => `${kind} ${one.id} ${other.id}`,
        waiting: 6,
      }}
    />
  );
}
