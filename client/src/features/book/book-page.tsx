import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { readBook, type Book } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_LABELS } from '#contracts/rules/kinds.js';
import * as m from '#words/messages.js';
import { languageName, seriesText } from '../../domain/catalogue/book-texts.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { Loaded, Skeleton } from '../../components/list/placeholders.js';
import { SaveToListTrigger } from '../../domain/lists/save-to-list-trigger.js';
import { useBackNavigation } from '../../lib/router/back-navigation.js';
import { Fact } from '../../components/display/fact.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { AuthorLinks, NameLinks, PublicationDate } from './book-links.js';
import styles from './book-page.module.css';
import { queryOf } from '../../lib/api/send.js';
import { BookAction } from './book-action.js';
import { BookProse } from './book-prose.js';
import { BackLink } from '../../components/form/button.js';

const parts = {
  extras: () => import('./cite-and-share.js'),
  copies: () => import('./book-copies.js'),
};
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
  usePageTitle(book.data?.title ?? m.common_book());
  const wayBack = useBackNavigation('/catalog');
  // Merged since: its address leads to the book that stands for it.
  if (book.data && book.data.id !== id) return <Navigate to={`/book/${book.data.id}`} replace />;
  return (
    <div className="w-full max-w-page mx-auto p-gutter pt-4 pb-16">
      <BackLink {...wayBack}>
        {/[?&]q=/.test(wayBack.to) ? m.book_back_to_results() : m.book_back_to_catalogue()}
      </BackLink>
      <Loaded of={book} waiting={<BookSkeleton />}>
        {(data) => (
          <>
            <BookDetail book={data} />
            <div className="grid grid-cols-1 gap-6 not-empty:mt-10 not-empty:pt-6 not-empty:double-rule print:hidden">
              {data.series !== null && (
                <Suspense fallback={null}>
                  <BookSeries book={data} />
                </Suspense>
              )}
              <Suspense fallback={null}>
                <RelatedShelves book={data} />
              </Suspense>
            </div>
          </>
        )}
      </Loaded>
    </div>
  );
}

function BookDetail({ book }: { book: Book }) {
  return (
    <article className={styles.book}>
      <BookCover book={book} className="[grid-area:cover] self-start shadow-lift-high" />
      <header className="[grid-area:head] flex flex-col gap-3 min-w-0 to-720:gap-2 to-720:self-center">
        <h1 className="[font-size:clamp(1.5rem,1rem_+_2.4vw,2.75rem)] leading-[1.08] tracking-[-0.02em] wrap-anywhere">
          {book.title}
        </h1>
        {book.series !== null && <p className="text-ink-soft">{seriesText(book)}</p>}
        <p className="font-serif text-3 to-720:text-2">
          <AuthorLinks book={book} />
        </p>
      </header>
      <div className="[grid-area:more] flex flex-col gap-6 min-w-0">
        <BookAction book={book} />
        <div
          // Its place is kept: what is below does not move.
          className="flex flex-wrap gap-x-2 min-h-11 -ml-3 phone:-ml-2 phone:gap-x-0 phone:[&_button]:px-2 [&_button]:text-ink-soft [&_button]:font-regular print:hidden"
        >
          <SaveToListTrigger book={book} />
          <Suspense fallback={null}>
            <CiteAndShare book={book} />
          </Suspense>
        </div>
        <BookProse book={book} />
        <Suspense fallback={null}>
          <BookCopies book={book} />
        </Suspense>
      </div>
      <Facts book={book} />
    </article>
  );
}

/** What a title page says, once. */
function Facts({ book }: { book: Book }) {
  return (
    <dl className={styles.facts}>
      {book.originalTitle !== null && <Fact name={m.book_original_title()}>{book.originalTitle}</Fact>}
      {book.otherTitles.length > 0 && (
        <Fact name={m.book_other_titles()}>{book.otherTitles.join(' · ')}</Fact>
      )}
      {book.kind !== 'loanable' && (
        <Fact name={m.book_lending()} data-kind={book.kind}>
          {BOOK_KIND_LABELS[book.kind]()}
        </Fact>
      )}
      {book.published !== null && (
        <Fact name={m.book_published()}>
          <PublicationDate published={book.published} />
        </Fact>
      )}
      {book.publisher && (
        <Fact name={m.common_publisher()}>
          <NameLinks of="publisher" names={[book.publisher]} />
        </Fact>
      )}
      {book.genres.length > 0 && (
        <Fact name={m.book_genre({ count: book.genres.length })}>
          <NameLinks of="genre" names={book.genres} />
        </Fact>
      )}
      {book.language !== null && (
        <Fact name={m.common_language()}>
          <NameLinks of="language" names={[{ id: book.language, name: languageName(book.language) }]} />
        </Fact>
      )}
      {!isInternalNumber(book.isbn) && <Fact name="ISBN">{book.isbn}</Fact>}
    </dl>
  );
}

function BookSkeleton() {
  return (
    <div className={styles.book} role="group" aria-busy="true" aria-label={m.book_loading()}>
      <div className="[grid-area:cover] self-start aspect-2/3 [border-radius:2px_4px_4px_2px] bg-sunk" />
      <div className="[grid-area:head] flex flex-col gap-3 min-w-0">
        <Skeleton width="70%" className="h-10" />
        <Skeleton width="40%" />
      </div>
    </div>
  );
}
