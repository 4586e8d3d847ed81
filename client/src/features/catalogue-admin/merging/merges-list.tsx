import type { Merge } from '#contracts/catalogue/merge.js';
import { MERGES_PAGE_SIZE } from '#contracts/catalogue/merge.js';
import { Button } from '../../../components/button.js';
import { Day } from '../../../components/day.js';
import { EmptyState } from '../../../components/empty-state.js';
import { ErrorState } from '../../../components/error-state.js';
import { Pagination } from '../../../components/pagination.js';
import { Table } from '../../../components/table.js';
import { totalPages } from '../../../lib/page-marks.js';
import styles from './duplicates-page.module.css';
import { namesOf, useMerges, useUndoMerge } from './merge-calls.js';
import { counted, KIND_WORDS } from './merge-words.js';

const COLUMNS = [
  { title: 'What' },
  { title: 'Merged' },
  { title: 'Into' },
  { title: 'Books', className: styles.number },
  { title: 'When' },
  { title: 'By' },
  { title: 'Undo', className: styles.action },
];

/** What was merged, the latest first, each to be undone. */
export function MergesList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const merges = useMerges(page);
  const undo = useUndoMerge();
  const pages = totalPages(merges.data?.totalCount ?? 0, MERGES_PAGE_SIZE);
  if (merges.isError && !merges.data) {
    return (
      <ErrorState error={merges.error} onRetry={() => void merges.refetch()} retrying={merges.isFetching} />
    );
  }
  if (merges.data?.totalCount === 0) {
    return (
      <EmptyState title="Nothing was merged yet">
        A merge is listed here, with who did it, and can be undone.
      </EmptyState>
    );
  }
  return (
    <>
      <Table look="reading" columns={COLUMNS} waiting={6} stale={merges.isPlaceholderData}>
        {merges.data?.items.map((merge) => (
          <Row
            key={merge.id}
            merge={merge}
            undoing={undo.isPending && undo.variables.id === merge.id}
            onUndo={() => undo.mutate(merge)}
          />
        ))}
      </Table>
      {pages > 1 && <Pagination label="Pages of merges" page={page} total={pages} onPage={onPage} />}
    </>
  );
}

function Row({ merge, undoing, onUndo }: { merge: Merge; undoing: boolean; onUndo: () => void }) {
  const { kind, kept, merged, books, mergedAt, mergedBy, undoneAt, undoneBy } = merge;
  return (
    <tr role="row" data-merge={merge.id}>
      <td role="cell" data-label="What">
        {counted(merged.length, KIND_WORDS[kind].one, KIND_WORDS[kind].many)}
      </td>
      <td role="cell" data-label="Merged" className={styles.name}>
        {namesOf(merge)}
      </td>
      <td role="cell" data-label="Into" className={styles.name}>
        {kept.name}
      </td>
      <td role="cell" data-label="Books" className={styles.number}>
        {kind === 'book' ? '–' : books}
      </td>
      <td role="cell" data-label="When">
        <Day time={mergedAt} />
      </td>
      <td role="cell" data-label="By">
        {mergedBy ?? '–'}
      </td>
      <td role="cell" className={styles.action}>
        {undoneAt === null ? (
          <Button size="small" busy={undoing} aria-label={`Undo merge: ${namesOf(merge)}`} onClick={onUndo}>
            Undo merge
          </Button>
        ) : (
          <span className={styles.note}>
            Undone <Day time={undoneAt} />
            {undoneBy && ` by ${undoneBy}`}
          </span>
        )}
      </td>
    </tr>
  );
}
