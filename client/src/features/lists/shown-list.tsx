import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { LIST_PAGE_SIZE, type ShownList as ShownListView } from '#contracts/lists/reading-lists.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorState } from '../../components/error-state.js';
import { Pagination } from '../../components/pagination.js';
import { SkeletonLines } from '../../components/skeleton.js';
import { authorNames } from '../../domain/catalogue/author-names.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { booksWords } from '../../domain/lists/list-words.js';
import pageStyles from '../../domain/lists/lists.module.css';
import { usePageTitle } from '../../domain/use-page-title.js';
import { RequestError } from '../../lib/api/request-error.js';
import { classNames } from '../../lib/class-names.js';
import { totalPages } from '../../lib/page-marks.js';
import styles from './shown-list.module.css';

interface ShownListProps {
  list: UseQueryResult<ShownListView>;
  page: number;
  onPage: (page: number) => void;
  /** Said above the name. */
  kind: string;
  /** What is said where there is no such list. */
  gone: ReactNode;
}

/** A list as somebody sees it who does not keep it. */
export function ShownList({ list, page, onPage, kind, gone }: ShownListProps) {
  usePageTitle(list.data?.name ?? kind);
  const pages = totalPages(list.data?.totalCount ?? 0, LIST_PAGE_SIZE);
  if (!list.data && list.error instanceof RequestError && [400, 404].includes(list.error.status)) return gone;
  return (
    <div className={classNames(pageStyles.page, pageStyles.wide)}>
      {list.data ? (
        <>
          <header className={styles.head}>
            <p className="quiet">{kind}</p>
            <h1 className={pageStyles.title}>{list.data.name}</h1>
            {list.data.description !== '' && (
              <p className={pageStyles.description}>{list.data.description}</p>
            )}
            <p className={pageStyles.count}>{booksWords(list.data.totalCount)}</p>
          </header>
          {list.data.totalCount === 0 && (
            <EmptyState title="Nothing is on this list yet">Come back another day.</EmptyState>
          )}
          <ul role="list" className={styles.books}>
            {list.data.items.map((book) => (
              <li key={book.id} className={styles.book} data-shown={book.id}>
                <BookCover book={book} className={styles.cover} />
                <Link to={`/book/${book.id}`} className={styles.title}>
                  {book.title}
                </Link>
                <p className={styles.authors}>{authorNames(book)}</p>
              </li>
            ))}
          </ul>
          {pages > 1 && <Pagination label="Pages of the list" page={page} total={pages} onPage={onPage} />}
        </>
      ) : list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      ) : (
        <SkeletonLines label="Loading the list" widths={[40, 70, 60]} />
      )}
    </div>
  );
}
