import * as m from '#words/messages.js';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listMerges, MERGES_PAGE_SIZE, type Merge } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/form/button.js';
import { Marked } from '../../../components/display/marked.js';
import { Day } from '../../../components/display/day.js';
import { EmptyState } from '../../../components/list/placeholders.js';
import { PagedTable } from '../../../components/list/list-page.js';
import type { ListColumn } from '../../../components/list/table.js';
import { queryOf } from '../../../lib/api/send.js';
import { useList, type PageAddress } from '../../../lib/use-list.js';
import { namesOf, useUndoMerge } from './merges.js';

const COLUMNS: readonly ListColumn<Merge>[] = [
  {
    title: m.common_what(),
    cell: ({ kind, merged }) => m.catalogue_kind_count({ kind, count: merged.length }),
  },
  { title: m.catalogue_merged(), look: 'text', className: 'min-w-40', cell: namesOf },
  {
    title: m.catalogue_merged_into_column(),
    look: 'text',
    className: 'min-w-40',
    cell: ({ kept }) => kept.name,
  },
  { title: m.common_books(), look: 'number', cell: ({ kind, books }) => (kind === 'book' ? '–' : books) },
  { title: m.common_when(), cell: ({ mergedAt }) => <Day time={mergedAt} /> },
  { title: m.common_by(), cell: ({ mergedBy }) => mergedBy ?? '–' },
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
    title: m.catalogue_undo(),
    look: 'action',
    cell: (merge) =>
      merge.undoneAt === null ? (
        <Button
          size="small"
          busy={undo.isPending && undo.variables.params.id === merge.id}
          aria-label={m.catalogue_undo_merge_of({ names: namesOf(merge) })}
          onClick={() => undo.mutate({ params: { id: merge.id } })}
        >
          {m.catalogue_undo_merge()}
        </Button>
      ) : (
        <span className="block text-ink-soft text-1">
          <Marked
            parts={
              merge.undoneBy
                ? m.catalogue_undone_by.parts({ person: merge.undoneBy })
                : m.catalogue_undone.parts()
            }
            as={{ day: () => <Day time={merge.undoneAt} /> }}
          />
        </span>
      ),
  };
  return (
    <PagedTable
      list={list}
      pagesLabel={m.catalogue_merges_pages()}
      empty={
        <EmptyState title={m.catalogue_nothing_merged()}>{m.catalogue_nothing_merged_hint()}</EmptyState>
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
