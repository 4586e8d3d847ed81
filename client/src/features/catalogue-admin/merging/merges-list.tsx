import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listMerges, MERGES_PAGE_SIZE, type Merge } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/form/button.js';
import { Day } from '../../../components/display/day.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { PagedTable } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { counted } from '../../../lib/texts.js';
import { queryOf } from '../../../lib/api/send.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { KIND_LABELS, namesOf, useUndoMerge } from './merges.js';

const COLUMNS: readonly ListColumn<Merge>[] = [
  {
    title: 'What',
    cell: ({ kind, merged }) => counted(merged.length, KIND_LABELS[kind].one, KIND_LABELS[kind].many),
  },
  { title: 'Merged', look: 'text', className: 'min-w-40', cell: namesOf },
  { title: 'Into', look: 'text', className: 'min-w-40', cell: ({ kept }) => kept.name },
  { title: 'Books', look: 'number', cell: ({ kind, books }) => (kind === 'book' ? '–' : books) },
  { title: 'When', cell: ({ mergedAt }) => <Day time={mergedAt} /> },
  { title: 'By', cell: ({ mergedBy }) => mergedBy ?? '–' },
];

/** What was merged, the latest first, each to be undone. */
export function MergesList({ address }: { address: PageAddress }) {
  const { pageNumber } = address[0];
  const merges = useQuery({
    ...queryOf(listMerges, { query: { pageNumber, pageSize: MERGES_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const list = useList(address, merges, MERGES_PAGE_SIZE);
  const undo = useUndoMerge();
  const undoing: ListColumn<Merge> = {
    title: 'Undo',
    look: 'action',
    cell: (merge) =>
      merge.undoneAt === null ? (
        <Button
          size="small"
          busy={undo.isPending && undo.variables.params.id === merge.id}
          aria-label={`Undo merge: ${namesOf(merge)}`}
          onClick={() => undo.mutate({ params: { id: merge.id } })}
        >
          Undo merge
        </Button>
      ) : (
        <span className="block text-ink-soft text-1">
          Undone <Day time={merge.undoneAt} />
          {merge.undoneBy && ` by ${merge.undoneBy}`}
        </span>
      ),
  };
  return (
    <PagedTable
      list={list}
      pagesLabel="Pages of merges"
      empty={
        <EmptyState title="Nothing merged yet">
          Merges are listed here with who made them. You can undo them.
        </EmptyState>
      }
      table={{
        columns: [...COLUMNS, undoing],
        keyOf: ({ id }) => id,
        rowProps: ({ id }) => ({ 'data-merge': id }),
        waiting: 6,
      }}
    />
  );
}
