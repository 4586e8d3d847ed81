import { classNames } from '../../lib/class-names.js';
import styles from './cover-stack.module.css';
import { SmallCover } from './small-cover.js';

/** Of more books, the first ones stand for all. */
const COVERS = 3;

interface CoverStackProps {
  books: readonly { bookId: number; title: string }[];
  className?: string | undefined;
}

/** The covers of the books of a borrow, one over the other. */
export function CoverStack({ books, className }: CoverStackProps) {
  return (
    <span className={classNames(styles.stack, className)} aria-hidden="true">
      {books.slice(0, COVERS).map(({ bookId, title }) => (
        <SmallCover
          key={bookId}
          bookId={bookId}
          title={title}
          // Of several books the covers lie over each other: all titles begin at one place.
          className="flex-none w-8 [&+&]:-ml-5 [&+&]:[box-shadow:-1px_0_0_var(--paper)]"
        />
      ))}
    </span>
  );
}
