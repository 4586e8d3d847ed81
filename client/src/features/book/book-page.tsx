import { useQuery } from '@tanstack/react-query';
import { ChevronLeft } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { readBook, type Book } from '#contracts/catalogue/book-views.js';
import { languageName } from '#contracts/catalogue/language.js';
import { BOOK_KIND_LABELS } from '#contracts/rules/kinds.js';
import { seriesText } from '../../domain/catalogue/book-texts.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ErrorState, Skeleton } from '../../components/list/placeholders.js';
import { SaveToListTrigger } from '../../domain/lists/save-to-list-trigger.js';
import { useBackNavigation } from '../../lib/router/back-navigation.js';
import { Fact } from '../../components/display/fact.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { NameLinks, PublicationDate } from './book-links.js';
import styles from './book-page.module.css';
import { queryOf } from '../../lib/api/send.js';
import { RentThisBook } from './rent-this-book.js';

const parts = {
  tabs: () => import('./book-tabs.js'),
  holds: () => import('./book-holds.js'),
  extras: () => import('./cite-and-share.js'),
  copies: () => import('./book-copies.js'),
};
const BookTabs = lazy(async () => ({ default: (await parts.tabs()).BookTabs }));
const BookHolds = lazy(async () => ({ default: (await parts.holds()).BookHolds }));
const CiteAndShare = lazy(async () => ({ default: (await parts.extras()).CiteAndShare }));
const BookCopies = lazy(async () => ({ default: (await parts.copies()).BookCopies }));
// Below what the book itself is.
const RelatedShelves = lazy(async () => ({ default: (await import('./related-shelves.js')).RelatedShelves }));
// For books of a series alone.
const BookSeries = lazy(async () => ({ default: (await import('./book-series.js')).BookSeries }));

export function BookPage() {
  const id = Number(useParams().id);
  if (!(Number.isSafeInteger(id) && id > 0)) return <Navigate to="/not-found" replace />;
  return <BookOf key={id} id={id} />;
}

function BookOf({ id }: { id: number }) {
  const book = useQuery(queryOf(readBook, { params: { id } }));
  useEffect(() => {
    // Meanwhile, but after the book itself was asked for: on a telephone's few connections it would wait for all of them. A
    // part that cannot be had says so where it is shown.
    for (const part of Object.values(parts)) part().catch(() => undefined);
  }, []);
  usePageTitle(book.data?.title ?? 'Book');
  const wayBack = useBackNavigation('/catalog');
  // Merged since: its address leads to the book that stands for it.
  if (book.data && book.data.id !== id) return <Navigate to={`/book/${book.data.id}`} replace />;
  return (
    <div className="w-full max-w-264 mx-auto p-gutter pt-4 pb-16">
      <Link
        {...wayBack}
        className="inline-flex items-center gap-1 min-h-11 text-ink-soft text-1 no-underline hover:text-ink"
      >
        <ChevronLeft size={16} aria-hidden="true" />
        Catalogue
      </Link>
      {book.data ? (
        <>
          <BookDetail book={book.data} />
          <div className="grid grid-cols-1 gap-6 not-empty:mt-10 not-empty:pt-6 not-empty:double-rule">
            {book.data.series !== null && (
              <Suspense fallback={null}>
                <BookSeries book={book.data} />
              </Suspense>
            )}
            <Suspense fallback={null}>
              <RelatedShelves book={book.data} />
            </Suspense>
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
      <BookCover
        book={book}
        className="[grid-area:cover] self-start shadow-lift-high to-720:w-[min(60%,14rem)] to-720:justify-self-center"
      />
      <div className="[grid-area:facts] flex flex-col gap-3 min-w-0">
        <h1 className="[font-size:clamp(var(--text-4),1.2rem_+_2.2vw,2.75rem)] leading-[1.08] tracking-[-0.02em]">
          {book.title}
        </h1>
        {book.series !== null && <p className="text-ink-soft">{seriesText(book)}</p>}
        <p className="font-serif text-3">
          <NameLinks of="author" names={book.authors.map(({ id, fullname }) => ({ id, name: fullname }))} />
        </p>
        <dl className="flex flex-wrap gap-x-10 gap-y-3 my-3 py-3 [border-block:1px_solid_var(--line)] [&_dt]:text-1 to-720:gap-x-6 to-720:gap-y-3 to-720:my-1">
          <Fact name="Copies available">
            <span data-copies-available>{book.copiesAvailable}</span>
            <span className="quiet"> of {book.copiesTotal}</span>
          </Fact>
          {book.originalTitle !== null && <Fact name="Original title">{book.originalTitle}</Fact>}
          {book.otherTitles.length > 0 && <Fact name="Also called">{book.otherTitles.join(' · ')}</Fact>}
          {book.kind !== 'loanable' && (
            <Fact name="Lending" data-kind={book.kind}>
              {BOOK_KIND_LABELS[book.kind]}
            </Fact>
          )}
          <Fact name="Publication date">
            <PublicationDate book={book} />
          </Fact>
          {book.language !== null && (
            <Fact name="Language">
              <NameLinks of="language" names={[{ id: book.language, name: languageName(book.language) }]} />
            </Fact>
          )}
          <Fact name="ISBN">{book.isbn}</Fact>
          {book.genres.length > 0 && (
            <Fact name={book.genres.length === 1 ? 'Genre' : 'Genres'}>
              <NameLinks of="genre" names={book.genres} />
            </Fact>
          )}
          {book.publisher && (
            <Fact name="Publisher">
              <NameLinks of="publisher" names={[book.publisher]} />
            </Fact>
          )}
        </dl>
        <RentThisBook book={book} />
        <Suspense fallback={null}>
          <BookHolds book={book} />
        </Suspense>
        <div
          // Its place is kept: what is below does not move.
          className="flex flex-wrap gap-2 min-h-11"
        >
          <SaveToListTrigger book={book} />
          <Suspense fallback={null}>
            <CiteAndShare book={book} />
          </Suspense>
        </div>
      </div>
      <div className="[grid-area:more] min-w-0">
        <Suspense fallback={null}>
          <BookTabs book={book} />
          <BookCopies book={book} />
        </Suspense>
      </div>
    </article>
  );
}

function BookSkeleton() {
  return (
    <div className={styles.book} role="group" aria-busy="true" aria-label="Loading the book">
      <div className="[grid-area:cover] self-start aspect-2/3 [border-radius:2px_4px_4px_2px] bg-sunk to-720:w-[min(60%,14rem)] to-720:justify-self-center" />
      <div className="[grid-area:facts] flex flex-col gap-3 min-w-0">
        <Skeleton width="70%" className="h-10" />
        <Skeleton width="40%" />
      </div>
    </div>
  );
}
