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
import { addBook } from '#contracts/catalogue/book-save.js';
import { May } from '../../domain/may.js';
import { Day } from '../../components/display/day.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { ListPage, SaveAsCsv } from '../../components/list/list-page.js';
import type { ListColumn } from '../../components/list/table.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { queryOf, sendForFile } from '../../lib/api/send.js';
import { saveFile } from '../../lib/save-file.js';
import { pageParameter, useAddress } from '../../lib/use-address.js';
import { useList } from '../../lib/use-list.js';

const TITLE = m.searches_title();
const ADDRESS = { pageNumber: pageParameter } as const;
const COLUMNS: readonly ListColumn<SearchWithoutResult>[] = [
  {
    title: m.searches_text(),
    look: 'name',
    cell: ({ text }) => <Link to={`/catalog?q=${encodeURIComponent(text)}`}>{text}</Link>,
  },
  { title: m.common_times(), look: 'number', cell: ({ times }) => times },
  {
    title: m.searches_corrected(),
    look: 'number',
    about: m.searches_corrected_about(),
    cell: ({ corrected }) => (corrected === 0 ? '–' : corrected),
  },
  { title: m.searches_last(), cell: ({ lastAt }) => <Day time={lastAt} /> },
  {
    title: m.searches_add(),
    look: 'action',
    cell: ({ text }) => (
      <May make={addBook}>
        <Link
          to={`/admin/books/save?title=${encodeURIComponent(text)}`}
          aria-label={m.searches_add_book_of({ text })}
        >
          {m.searches_add_book()}
        </Link>
      </May>
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
      count={({ totalCount: count, once }) =>
        once === 0 ? m.searches_count({ count }) : m.searches_count_and_once({ count, once })
      }
      actions={list.answer.data?.totalCount ? <SaveAsCsv file={file} /> : null}
      lead={m.searches_lead({ days: SEARCH_RETENTION_DAYS })}
      empty={<EmptyState title={m.searches_none()}>{m.searches_none_lead()}</EmptyState>}
      pagesLabel={m.searches_pages()}
      table={{ columns: COLUMNS, keyOf: ({ text }) => text, waiting: 10 }}
    />
  );
}
