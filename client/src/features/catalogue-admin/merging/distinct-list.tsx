import { Button } from '../../../components/button.js';
import { Day } from '../../../components/day.js';
import { EmptyState } from '../../../components/empty-state.js';
import { ErrorState } from '../../../components/error-state.js';
import { Pagination } from '../../../components/pagination.js';
import { Table } from '../../../components/table.js';
import { totalPages } from '../../../lib/page-marks.js';
import { DISTINCT_PAIRS_PAGE_SIZE } from '#contracts/catalogue/duplicate.js';
import styles from './duplicates-page.module.css';
import { useDistinctPairs, useLetPropose } from './merge-calls.js';
import { KIND_WORDS } from './merge-words.js';

const COLUMNS = [
  { title: 'What' },
  { title: 'One' },
  { title: 'Other' },
  { title: 'When' },
  { title: 'By' },
  { title: 'Take back', className: styles.action },
];

/** Pairs that somebody found not to be the same, so that they are proposed no more. */
export function DistinctList({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const pairs = useDistinctPairs(page);
  const letPropose = useLetPropose();
  const pages = totalPages(pairs.data?.totalCount ?? 0, DISTINCT_PAIRS_PAGE_SIZE);
  if (pairs.isError && !pairs.data) {
    return (
      <ErrorState error={pairs.error} onRetry={() => void pairs.refetch()} retrying={pairs.isFetching} />
    );
  }
  if (pairs.data?.totalCount === 0) {
    return (
      <EmptyState title="No pair is kept apart">
        What you answer with “Not the same” is remembered here, and can be taken back.
      </EmptyState>
    );
  }
  return (
    <>
      <Table look="reading" columns={COLUMNS} waiting={6} stale={pairs.isPlaceholderData}>
        {pairs.data?.items.map((pair) => {
          const { kind, one, other, saidAt, saidBy } = pair;
          return (
            <tr key={`${kind} ${one.id} ${other.id}`} role="row">
              <td role="cell" data-label="What">
                {KIND_WORDS[kind].many}
              </td>
              <td role="cell" data-label="One" className={styles.name}>
                {one.name} <span className={styles.note}>no. {one.id}</span>
              </td>
              <td role="cell" data-label="Other" className={styles.name}>
                {other.name} <span className={styles.note}>no. {other.id}</span>
              </td>
              <td role="cell" data-label="When">
                <Day time={saidAt} />
              </td>
              <td role="cell" data-label="By">
                {saidBy ?? '–'}
              </td>
              <td role="cell" className={styles.action}>
                <Button
                  size="small"
                  busy={letPropose.isPending && letPropose.variables === pair}
                  aria-label={`Take back: ${one.name}, ${other.name}`}
                  onClick={() => letPropose.mutate(pair)}
                >
                  Take back
                </Button>
              </td>
            </tr>
          );
        })}
      </Table>
      {pages > 1 && <Pagination label="Pages of pairs" page={page} total={pages} onPage={onPage} />}
    </>
  );
}
