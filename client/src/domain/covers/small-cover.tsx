import { classNames } from '../../lib/class-names.js';
import { BookCover } from './book-cover.js';
import { useCover } from './get-covers.js';
import styles from './small-cover.module.css';

interface SmallCoverProps {
  bookId: number;
  /** As the list has it: all there is of a book that has left the catalogue. */
  title: string;
  className?: string | undefined;
}

/** The cover of a book of which a list knows number and title alone. Its place is kept while it comes. */
export function SmallCover({ bookId, title, className }: SmallCoverProps) {
  const cover = useCover(bookId);
  const place = classNames(styles.small, className);
  if (cover.isPending) return <span className={place} />;
  const book = cover.data ?? { id: bookId, title, authors: [], genres: [], photo: null };
  return <BookCover book={book} thumbnail className={place} />;
}
