import { lazy, Suspense } from 'react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_LABELS } from '#contracts/rules/kinds.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ButtonLink } from '../../components/form/button.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { useUser } from '../../lib/session.js';

// For titles that are all lent, and for who is signed in.
const ReserveOnCard = lazy(async () => ({ default: (await import('./reserve-on-card.js')).ReserveOnCard }));

export function BookCard({ book }: { book: BookListItem }) {
  const user = useUser();
  const titleId = `book-${book.id}`;
  return (
    <article className="group/card relative flex flex-col gap-[2px] h-full" aria-labelledby={titleId}>
      <BookCover
        book={book}
        className="mb-3 [transition:transform_var(--quick),box-shadow_var(--quick)] group-hover/card:[transform:translateY(-3px)] group-hover/card:shadow-lift-high"
      />
      <h2 id={titleId} className="line-clamp-3 text-2 leading-tight tracking-[0]">
        {book.title}
      </h2>
      <p className="text-1 leading-[1.4]">
        {book.authors.map((author) => `${author.firstname} ${author.lastname}`.trim()).join(', ')}
      </p>
      {book.genres.length > 0 && (
        <p className="text-1 leading-[1.4] text-ink-soft">
          {book.genres.map((genre) => genre.name).join(', ')}
        </p>
      )}
      <p
        className="text-1 leading-[1.4] mt-auto pt-2 tabular-nums data-none:text-ink-soft"
        data-none={book.copiesAvailable === 0 || undefined}
      >
        {book.copiesAvailable === 0
          ? 'No copies available'
          : `${book.copiesAvailable} ${book.copiesAvailable === 1 ? 'copy' : 'copies'} available`}
        {book.kind !== 'loanable' && ` · ${BOOK_KIND_LABELS[book.kind]}`}
      </p>
      <div className="flex flex-wrap items-center gap-2 mt-2">
        <ButtonLink
          to={`/book/${book.id}`}
          size="small"

          // The whole card leads to the book; the button is what says so. Not positioned itself, or it
          // would lead there alone.
          className={"static after:content-[''] after:absolute after:inset-0"}
          aria-label={`View Details: ${book.title}`}
        >
          View Details
        </ButtonLink>
        {user && book.copiesAvailable === 0 && book.kind !== 'reading-room' && (
          <Suspense fallback={null}>
            <ReserveOnCard book={book} />
          </Suspense>
        )}
      </div>
    </article>
  );
}

export function BookCardSkeleton() {
  return (
    <div className="group/card relative flex flex-col gap-[2px] h-full" aria-hidden="true">
      <div className="aspect-2/3 mb-3 [border-radius:2px_4px_4px_2px] bg-sunk" />
      <Skeleton width="80%" />
      <Skeleton width="55%" />
    </div>
  );
}
