import { useRef } from 'react';
import { bookSortSchema, CATALOGUE_PAGE_SIZE, type BookSort } from '#contracts/catalogue/book-views.js';
import { Button } from '../../components/button.js';
import { Choice } from '../../components/choice.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { isPage, totalPages } from '../../lib/page-marks.js';
import { useListKeys } from '../../lib/use-list-keys.js';
import { oneOf, pageParameter, searchParameter, useAddress } from '../../lib/use-address.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { Corrected } from './corrected.js';
import { SuggestingSearch } from './suggesting-search.js';
import { BookCard, BookCardSkeleton } from './book-card.js';
import styles from './catalogue-page.module.css';
import { useBooks } from '../../domain/catalogue/get-books.js';

const SORTS: readonly { value: BookSort; label: string }[] = [
  { value: 'none', label: 'No sorting' },
  { value: 'Title', label: 'Title' },
  { value: 'ISBN', label: 'ISBN' },
  { value: 'CopiesAvailable', label: 'Copies Available' },
];

const ADDRESS = {
  SearchTerm: searchParameter,
  SortBy: oneOf('sort', bookSortSchema.options, 'none'),
  pageNumber: { ...pageParameter, fromTop: true },
} as const;

export function CataloguePage() {
  usePageTitle('Catalogue');
  const [address, change] = useAddress(ADDRESS);
  const query = { ...address, pageSize: CATALOGUE_PAGE_SIZE };
  const books = useBooks(query);
  const searchInput = useRef<HTMLInputElement>(null);
  const pages = totalPages(books.data?.totalCount ?? 0, query.pageSize);
  const turn = (page: number) => {
    if (isPage(page, pages)) change({ pageNumber: page });
  };
  const listKeys = useListKeys({ page: query.pageNumber, onPage: turn, search: searchInput });

  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Catalogue</h1>
        <p className={styles.count} role="status">
          {books.data && countOf(books.data.totalCount, query.SearchTerm)}
        </p>
      </header>
      <div className={styles.tools}>
        <SuggestingSearch
          value={query.SearchTerm}
          onSearch={(SearchTerm) => change({ SearchTerm })}
          inputRef={searchInput}
        />
        <Choice
          label="Sort by"
          value={query.SortBy}
          options={SORTS}
          onChoose={(SortBy) => change({ SortBy })}
        />
      </div>
      {books.data?.corrections && <Corrected corrections={books.data.corrections} />}
      {books.isError && !books.data ? (
        <ErrorState error={books.error} onRetry={() => void books.refetch()} retrying={books.isFetching} />
      ) : books.data?.items.length === 0 ? (
        <NothingFound
          searched={query.SearchTerm !== ''}
          onClear={() => change({ SearchTerm: '' })}
          onFirstPage={() => change({ pageNumber: 1 })}
        />
      ) : (
        <section
          {...listKeys}
          className={styles.list}
          aria-label="Books"
          aria-busy={books.isPending || books.isPlaceholderData}
        >
          <ul role="list" className={styles.grid} data-stale={books.isPlaceholderData || undefined}>
            {books.data
              ? books.data.items.map((book) => (
                  <li key={book.id}>
                    <BookCard book={book} />
                  </li>
                ))
              : Array.from({ length: query.pageSize }, (_, index) => (
                  <li key={index}>
                    <BookCardSkeleton />
                  </li>
                ))}
          </ul>
        </section>
      )}
      {books.data && pages > 1 && (
        <Pagination label="Pages of the catalogue" page={query.pageNumber} total={pages} onPage={turn} />
      )}
    </div>
  );
}

function countOf(total: number, term: string): string {
  const number = new Intl.NumberFormat('en-US').format(total);
  const books = `${number} ${total === 1 ? 'book' : 'books'}`;
  return term === '' ? books : `${books} for “${term}”`;
}

interface NothingFoundProps {
  searched: boolean;
  onClear: () => void;
  onFirstPage: () => void;
}

function NothingFound({ searched, onClear, onFirstPage }: NothingFoundProps) {
  if (searched) {
    return (
      <EmptyState title="No book matches" action={<Button onClick={onClear}>Show all books</Button>}>
        Try fewer words, another spelling, or an author, a genre or a publisher instead of a title.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Nothing on this page"
      action={<Button onClick={onFirstPage}>To the first page</Button>}
    >
      The shelves end before this page.
    </EmptyState>
  );
}
