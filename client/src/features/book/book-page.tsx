import { ChevronLeft } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import type { Book } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_WORDS } from '#contracts/rules/kinds.js';
import { seriesWords } from '../../domain/catalogue/series-words.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ErrorState } from '../../components/error-state.js';
import { SaveToListDoor } from '../../domain/lists/save-to-list-door.js';
import { Skeleton } from '../../components/skeleton.js';
import { Fact } from '../../components/fact.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import styles from './book-page.module.css';
import { useBook } from '../../domain/catalogue/get-book.js';
import { RentThisBook } from './rent-this-book.js';

// On its way with the book itself.
const tabs = import('./book-tabs.js');
const BookTabs = lazy(async () => ({ default: (await tabs).BookTabs }));
const holds = import('./book-holds.js');
const BookHolds = lazy(async () => ({ default: (await holds).BookHolds }));
// For books of a series alone.
const BookSeries = lazy(async () => ({ default: (await import('./book-series.js')).BookSeries }));

export function BookPage() {
  const id = Number(useParams().id);
  if (!(Number.isSafeInteger(id) && id > 0)) return <Navigate to="/not-found" replace />;
  return <BookOf key={id} id={id} />;
}

function BookOf({ id }: { id: number }) {
  const book = useBook(id);
  usePageTitle(book.data?.title ?? 'Book');
  return (
    <div className={styles.page}>
      <Link to="/catalog" className={styles.back}>
        <ChevronLeft size={16} aria-hidden="true" />
        Catalogue
      </Link>
      {book.data ? (
        <>
          <BookDetail book={book.data} />
          <div className={styles.shelves}>
            {book.data.series !== null && (
              <Suspense fallback={null}>
                <BookSeries book={book.data} />
              </Suspense>
            )}
          </div>
        </>
      ) : book.isError ? (
        <ErrorState error={book.error} onRetry={() => void book.refetch()} retrying={book.isFetching} />
      ) : (
        <BookSkeleton />
      )}
    </div>
  );
}

function BookDetail({ book }: { book: Book }) {
  return (
    <article className={styles.book}>
      <BookCover book={book} className={styles.cover} />
      <div className={styles.facts}>
        <h1 className={styles.title}>{book.title}</h1>
        {book.series !== null && <p className={styles.series}>{seriesWords(book)}</p>}
        <p className={styles.authors}>{book.authors.map((author) => author.fullname).join(', ')}</p>
        <dl className={styles.data}>
          <Fact name="Copies available">
            <span data-copies-available>{book.copiesAvailable}</span>
            <span className="quiet"> of {book.copiesTotal}</span>
          </Fact>
          {book.kind !== 'loanable' && (
            <Fact name="Lending" data-kind={book.kind}>
              {BOOK_KIND_WORDS[book.kind]}
            </Fact>
          )}
          <Fact name="Publication date">{book.publicationDate}</Fact>
          <Fact name="ISBN">{book.isbn}</Fact>
        </dl>
        <RentThisBook book={book} />
        <SaveToListDoor book={book} />
        <Suspense fallback={null}>
          <BookHolds book={book} />
        </Suspense>
      </div>
      <div className={styles.more}>
        <Suspense fallback={null}>
          <BookTabs book={book} />
        </Suspense>
      </div>
    </article>
  );
}

function BookSkeleton() {
  return (
    <div className={styles.book} aria-busy="true" aria-label="Loading the book">
      <div className={styles.place} />
      <div className={styles.facts}>
        <Skeleton width="70%" className={styles.titlePlace} />
        <Skeleton width="40%" />
      </div>
    </div>
  );
}
