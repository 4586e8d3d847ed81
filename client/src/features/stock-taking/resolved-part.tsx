import { Link } from 'react-router-dom';
import { FINDINGS_PAGE_SIZE, type StockTakingStanding } from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/button.js';
import { Day } from '../../components/day.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Table } from '../../components/table.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import styles from './findings-part.module.css';
import { ResolvingNotice } from './resolving-notice.js';
import { useResolutions } from './stock-taking-calls.js';
import { useResolving } from './use-resolving.js';
import { DONE_WORDS, KIND_NAMES } from './words.js';

const COLUMNS = [
  { title: 'Copy' },
  { title: 'It was' },
  { title: 'Decision' },
  { title: 'By' },
  { title: 'Actions', className: styles.actionsHead },
];

interface ResolvedPartProps {
  taking: StockTakingStanding;
  page: number;
  onPage: (page: number) => void;
}

/** What was decided, by whom, and the way back of each. */
export function ResolvedPart({ taking: { id, state }, page, onPage }: ResolvedPartProps) {
  const list = useResolutions(id, page);
  const { run, undo, undoOne } = useResolving(id);
  const resolved = list.data;
  const pages = totalPages(resolved?.totalCount ?? 0, FINDINGS_PAGE_SIZE);
  return (
    <section aria-label="Dealt with" className={styles.findings} data-findings="resolved">
      <ResolvingNotice run={run} onUndo={({ batch, done }) => void undo(batch, done)} />
      {list.isError && !resolved ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : resolved?.totalCount === 0 ? (
        <EmptyState title="Nothing was decided yet">
          Each decision about a finding stands here, and can be taken back as long as nothing else has
          happened to its copy.
        </EmptyState>
      ) : (
        <Table look="reading" columns={COLUMNS} waiting={8} stale={list.isPlaceholderData}>
          {resolved?.items.map(({ code, bookId, title, kind, action, at, by }) => (
            <tr key={code} role="row" className={styles.row} data-resolved={code}>
              <th role="rowheader" scope="row" className={styles.copy}>
                {bookId === null || title === null ? (
                  <span className={styles.code}>{code}</span>
                ) : (
                  <>
                    <Link to={`/admin/books/save/${bookId}`}>{title}</Link>
                    <span className={styles.codeLine}>{code}</span>
                  </>
                )}
              </th>
              <td role="cell" data-label="It was">
                {KIND_NAMES[kind]}
              </td>
              <td role="cell" data-label="Decision">
                {DONE_WORDS[action]}
              </td>
              <td role="cell" data-label="By">
                {by ?? 'somebody whose account is gone'}{' '}
                <span className="note">
                  <Day time={at} />
                </span>
              </td>
              <td role="cell" className={styles.actions}>
                <Button
                  size="small"
                  look="plain"
                  disabled={state !== 'open' || run?.running}
                  aria-label={`Undo: ${code}`}
                  onClick={() => void undoOne(code)}
                >
                  Undo
                </Button>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {pages > 1 && (
        <Pagination
          label="Pages of the decisions"
          page={page}
          total={pages}
          onPage={(next) => isPage(next, pages) && onPage(next)}
        />
      )}
    </section>
  );
}
