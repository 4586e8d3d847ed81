import { Download } from 'lucide-react';
import { Link } from 'react-router-dom';
import {
  SEARCHES_KEPT_DAYS,
  SEARCHES_PAGE_SIZE,
  type SearchReport,
  type SearchWithoutResult,
} from '#contracts/catalogue/search-report.js';
import { Button } from '../../components/button.js';
import { Day } from '../../components/day.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { Table } from '../../components/table.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { totalPages } from '../../lib/page-marks.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import listPage from '../../components/list-page.module.css';
import { useSearchReport, useSearchReportFile } from './searches-calls.js';
import styles from './searches-page.module.css';

const TITLE = 'Searches without a result';
const ADDRESS = { page: pageParameter } as const;
const COLUMNS = [
  { title: 'Searched for' },
  { title: 'Times', className: styles.number },
  { title: 'Corrected', className: styles.number, about: 'Other spellings of its words found something' },
  { title: 'Last' },
  { title: 'Add', className: styles.action },
];

/** What readers looked for and the library does not have. */
export function SearchesPage() {
  usePageTitle(TITLE);
  const [{ page }, change] = useAddress(ADDRESS);
  const report = useSearchReport(page);
  const file = useSearchReportFile();
  const pages = totalPages(report.data?.totalCount ?? 0, SEARCHES_PAGE_SIZE);
  return (
    <>
      <header className={styles.head}>
        <h2 className={listPage.title}>{TITLE}</h2>
        <p className={styles.count} role="status">
          {report.data && countOf(report.data)}
        </p>
        {report.data && report.data.totalCount > 0 && (
          <Button busy={file.isPending} onClick={() => file.mutate()}>
            <Download size={16} aria-hidden="true" />
            Save as CSV
          </Button>
        )}
      </header>
      <p className={styles.lead}>
        What was typed into the search of books and found nothing. Who searched is not recorded. A text is
        shown once it was searched for on two occasions, and kept for {SEARCHES_KEPT_DAYS} days after its last
        search.
      </p>
      {report.isError && !report.data ? (
        <ErrorState error={report.error} onRetry={() => void report.refetch()} retrying={report.isFetching} />
      ) : report.data?.totalCount === 0 ? (
        <EmptyState title="Nothing was missed so far">
          A search that finds nothing is listed here when it comes again.
        </EmptyState>
      ) : (
        <Table
          look="reading"
          className={styles.table}
          columns={COLUMNS}
          waiting={10}
          stale={report.isPlaceholderData}
        >
          {report.data?.items.map((search) => (
            <Row key={search.text} search={search} />
          ))}
        </Table>
      )}
      {pages > 1 && (
        <Pagination
          label="Pages of searches"
          page={page}
          total={pages}
          onPage={(to) => change({ page: to })}
        />
      )}
    </>
  );
}

function Row({ search: { text, times, corrected, lastAt } }: { search: SearchWithoutResult }) {
  return (
    <tr role="row">
      <td role="cell" className={styles.text} data-label="Searched for">
        <Link to={`/catalog?q=${encodeURIComponent(text)}`}>{text}</Link>
      </td>
      <td role="cell" className={styles.number} data-label="Times">
        {times}
      </td>
      <td role="cell" className={styles.number} data-label="Corrected">
        {corrected === 0 ? '–' : corrected}
      </td>
      <td role="cell" data-label="Last">
        <Day time={lastAt} />
      </td>
      <td role="cell" className={styles.action}>
        <Link
          to={`/admin/books/save?title=${encodeURIComponent(text)}`}
          aria-label={`Add a book like this: ${text}`}
        >
          Add a book like this
        </Link>
      </td>
    </tr>
  );
}

function countOf({ totalCount, once }: SearchReport): string {
  const texts = `${totalCount} ${totalCount === 1 ? 'text' : 'texts'}`;
  return once === 0 ? texts : `${texts}, and ${once} searched for on one occasion alone`;
}
