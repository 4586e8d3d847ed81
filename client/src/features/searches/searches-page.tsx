import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import {
  fetchSearchReport,
  readSearchReport,
  SEARCH_RETENTION_DAYS,
  SEARCHES_PAGE_SIZE,
  type SearchWithoutResult,
} from '#contracts/catalogue/search-report.js';
import * as m from '#words/messages.js';
import { Day } from '../../components/display/day.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { ListPage, SaveAsCsv } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf, sendForFile } from '../../lib/api/send.js';
import { saveFile } from '../../lib/save-file.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';

const TITLE = 'Searches without a result';
const ADDRESS = { pageNumber: pageParameter } as const;
const COLUMNS: readonly ListColumn<SearchWithoutResult>[] = [
  {
    title: 'Searched for',
    look: 'name',
    cell: ({ text }) => <Link to={`/catalog?q=${encodeURIComponent(text)}`}>{text}</Link>,
  },
  { title: 'Times', look: 'number', cell: ({ times }) => times },
  {
    title: 'Corrected',
    look: 'number',
    about: 'Another spelling found something',
    cell: ({ corrected }) => (corrected === 0 ? '–' : corrected),
  },
  { title: 'Last', cell: ({ lastAt }) => <Day time={lastAt} /> },
  {
    title: 'Add',
    look: 'action',
    cell: ({ text }) => (
      <Link
        to={`/admin/books/save?title=${encodeURIComponent(text)}`}
        aria-label={`Add a book like this: ${text}`}
      >
        Add a book like this
      </Link>
    ),
  },
];

/** What readers looked for and the library does not have. */
export function SearchesPage() {
  usePageTitle(TITLE);
  const address = useAddress(ADDRESS);
  const searches = useQuery({
    ...queryOf(readSearchReport, { query: { ...address[0], pageSize: SEARCHES_PAGE_SIZE } }),
    placeholderData: keepPreviousData,
  });
  const list = useList(address, searches, SEARCHES_PAGE_SIZE);
  const file = useMutation({
    mutationFn: async () => saveFile(await sendForFile(fetchSearchReport), 'searches-without-result.csv'),
  });
  return (
    <ListPage
      list={list}
      title={TITLE}
      count={({ totalCount, once }) =>
        `${totalCount} ${totalCount === 1 ? 'text' : 'texts'}${once === 0 ? '' : `, and ${once} searched for only once`}`
      }
      actions={list.answer.data?.totalCount ? <SaveAsCsv file={file} /> : null}
      lead={`Searches for books that found nothing. Who searched is not recorded. A search is listed once it has been made twice, and kept for ${SEARCH_RETENTION_DAYS} days after the last time.`}
      empty={
        <EmptyState title="No failed searches yet">
          Searches that find nothing are listed here once they have been made twice.
        </EmptyState>
      }
      pagesLabel={m.searches_pages()}
      table={{ columns: COLUMNS, keyOf: ({ text }) => text, waiting: 10 }}
    />
  );
}
