import { lazy, Suspense } from 'react';
import type { CoveredBook } from './covered-book.js';
import { classNames } from '../../lib/class-names.js';
import styles from './book-cover.module.css';

// On its way with the books themselves: what is around them is drawn meanwhile.
const drawing = import('./generated-cover.js');
const GeneratedCover = lazy(async () => ({ default: (await drawing).GeneratedCover }));

interface BookCoverProps {
  book: CoveredBook;
  /** Shows a part of the board without its lettering: for places of about 50 px. */
  thumbnail?: boolean;
  className?: string | undefined;
}

/** A book's cover. It keeps its 2:3 place, and says nothing to a screen reader: its title stands beside it. */
export function BookCover({ book, thumbnail = false, className }: BookCoverProps) {
  const look = classNames(thumbnail && styles.thumbnail, className);
  if (book.photo) return <CoverPicture url={book.photo.url} alt="" className={look} />;
  return (
    <span className={classNames(styles.cover, look)} aria-hidden="true">
      <Suspense fallback={null}>
        <GeneratedCover book={book} thumbnail={thumbnail} />
      </Suspense>
    </span>
  );
}

interface CoverPictureProps {
  url: string;
  /** Empty where the title stands beside it. */
  alt: string;
  className?: string | undefined;
  /** The browser cannot show it. */
  onError?: () => void;
}

/** A picture as a book's cover, of any proportion: it fills the 2:3 place from its middle, wherever it is shown. */
export function CoverPicture({ url, alt, className, onError }: CoverPictureProps) {
  return (
    <span className={classNames(styles.cover, className)}>
      <img
        className="block w-full h-full object-cover [filter:var(--picture-filter)]"
        src={url}
        alt={alt}
        loading="lazy"
        decoding="async"
        onError={onError}
      />
    </span>
  );
}
