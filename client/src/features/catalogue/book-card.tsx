import { lazy, Suspense } from 'react';
import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { BOOK_KIND_WORDS } from '#contracts/rules/kinds.js';
import { BookCover } from '../../domain/covers/book-cover.js';
import { ButtonLink } from '../../components/button.js';
import { Skeleton } from '../../components/skeleton.js';
import { useUser } from '../../lib/session.js';
import styles from './book-card.module.css';

// For titles that are all lent, and for who is signed in.
const ReserveOnCard = lazy(async () => ({ default: (await import('./reserve-on-card.js')).ReserveOnCard }));

export function BookCard({ book }: { book: BookListItem }) {
  const user = useUser();
  const titleId = `book-${book.id}`;
  return (
    <article className={styles.card} aria-labelledby={titleId}>
      <BookCover book={book} className={styles.cover} />
      <h2 id={titleId} className={styles.title}>
        {book.title}
      </h2>
      <p className={styles.authors}>
        {book.authors.map((author) => `${author.firstname} ${author.lastname}`.trim()).join(', ')}
      </p>
      {book.genres.length > 0 && (
        <p className={styles.genre}>{book.genres.map((genre) => genre.name).join(', ')}</p>
      )}
      <p className={styles.copies} data-none={book.copiesAvailable === 0 || undefined}>
        {book.copiesAvailable === 0
          ? 'No copies available'
          : `${book.copiesAvailable} ${book.copiesAvailable === 1 ? 'copy' : 'copies'} available`}
        {book.kind !== 'loanable' && ` · ${BOOK_KIND_WORDS[book.kind]}`}
      </p>
      <div className={styles.actions}>
        <ButtonLink
          to={`/book/${book.id}`}
          size="small"
          className={styles.details ?? ''}
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
    <div className={styles.card} aria-hidden="true">
      <div className={styles.place} />
      <Skeleton width="80%" />
      <Skeleton width="55%" />
    </div>
  );
}
