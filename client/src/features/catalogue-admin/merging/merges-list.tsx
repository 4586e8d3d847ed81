import { MERGES_PAGE_SIZE, type Merge } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/form/button.js';
import { Day } from '../../../components/display/day.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { PagedTable } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { counted } from '../../../lib/texts.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { namesOf, useMerges, useUndoMerge } from './merge-calls.js';
import { KIND_LABELS } from './merge-labels.js';

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
  const list = useList(address, useMerges(address[0].pageNumber), MERGES_PAGE_SIZE);
  const undo = useUndoMerge();
  const undoing: ListColumn<Merge> = {
    title: 'Undo',
    look: 'action',
    cell: (merge) =>
      merge.undoneAt === null ? (
        <Button
          size="small"
          busy={undo.isPending && undo.variables.id === merge.id}
          aria-label={`Undo merge: ${namesOf(merge)}`}
          onClick={() => undo.mutate(merge)}
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
        <EmptyState title="Nothing was merged yet">
          A merge is listed here, with who did it, and can be undone.
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
