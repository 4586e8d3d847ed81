import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { authorNames } from '#contracts/catalogue/book-facts.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { Skeleton } from '../../components/list/placeholders.js';
import * as m from '#words/messages.js';

// For titles that are all lent.
const LentOnCard = lazy(async () => ({ default: (await import('./lent-on-card.js')).LentOnCard }));

/** A book of the catalogue: what it is, and a word where it is not simply there to be rented. */
export function BookCard({ book }: { book: BookListItem }) {
  const titleId = `book-${book.id}`;
  return (
    <article
      className="group/card relative flex flex-col gap-[2px] h-full break-inside-avoid"
      aria-labelledby={titleId}
    >
      <BookCover
        book={book}
        className="mb-2 [transition:transform_var(--quick),box-shadow_var(--quick)] group-hover/card:[transform:translateY(-3px)] group-hover/card:shadow-lift-high"
      />
      <h2 id={titleId} className="line-clamp-2 text-2 leading-tight tracking-[0] to-560:text-1">
        <Link
          to={`/book/${book.id}`}
          // The whole card leads to the book.
          className="text-ink no-underline after:content-[''] after:absolute after:inset-0 group-hover/card:underline"
        >
          {book.title}
        </Link>
      </h2>
      <p className="line-clamp-2 text-1 leading-[1.35] text-ink-soft">{authorNames(book)}</p>
      {book.kind === 'reading-room' ? (
        <p className="text-1 leading-[1.35] text-accent-text">{m.catalog_reading_room()}</p>
      ) : (
        book.copiesAvailable === 0 && (
          <Suspense fallback={null}>
            <LentOnCard book={book} />
          </Suspense>
        )
      )}
      {m.common_view_details() !== '' && <AsFound book={book} />}
    </article>
  );
}

/** What the specification has on every card (section 2). */
function AsFound({ book: { genres, copiesAvailable } }: { book: BookListItem }) {
  return (
    <p className="text-1 leading-[1.35]">
      {genres.map(({ name }) => name).join(', ')} · {m.catalog_copies_available({ count: copiesAvailable })} ·{' '}
      {m.common_view_details()}
    </p>
  );
}

export function BookCardSkeleton() {
  return (
    <div className="flex flex-col gap-[2px] h-full" aria-hidden="true">
      <div className="aspect-2/3 mb-2 [border-radius:2px_4px_4px_2px] bg-sunk" />
      <Skeleton width="80%" />
      <Skeleton width="55%" />
    </div>
  );
}
