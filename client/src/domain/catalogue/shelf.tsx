import * as m from '#words/messages.js';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useCallback, useContext, useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { authorNames } from '#contracts/catalogue/book-facts.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { BookCover } from '../covers/book-cover.js';
import { CoversBeside, type CoveredBook } from '../covers/covered-book.js';
import styles from './shelf.module.css';
import { classNames } from '../../lib/class-names.js';

const PLACES = 8;
const ENDS = { Home: 0, End: -1 } as const;
const STEPS = { ArrowLeft: -1, ArrowRight: 1 } as const;

interface ShelfProps<Book> {
  title: string;
  /** Undefined while they are loaded: their places are kept. Without any the shelf is not there. */
  books: readonly Book[] | undefined;
  /** The address of all that the shelf is a part of. */
  all?: string;
  /** The book whose page this is. */
  current?: number;
  /** What stands between cover and title. */
  noteOf?: (book: Book) => string | null;
}

/** Books beside each other under a heading: scrolled by hand, by the keys of the arrows, or by a button. */
export function Shelf<Book extends CoveredBook>({ title, books, all, current, noteOf }: ShelfProps<Book>) {
  const titleId = useId();
  const { row, ends, look, turn } = useTurning(books);
  const beside = useContext(CoversBeside);
  if (books?.length === 0) return null;
  return (
    <section className="flex flex-col gap-3 min-w-0" aria-labelledby={titleId} aria-busy={!books}>
      <div className="flex items-center gap-x-4 gap-y-2 min-h-11">
        <h2 id={titleId} className="flex-1 min-w-0 wrap-anywhere">
          {title}
        </h2>
        {all !== undefined && (
          <Link
            to={all}
            className="inline-flex items-center min-h-11 text-accent-text text-1 whitespace-nowrap"
            aria-label={m.catalogue_see_all_of({ title })}
          >
            {m.catalogue_see_all()}
          </Link>
        )}
        {/* For a mouse without a wheel to the side: keys and fingers have no need of them. */}
        {!(ends.start && ends.end) && (
          <div className={styles.turns} aria-hidden="true">
            {([-1, 1] as const).map((side) => {
              const Icon = side < 0 ? ChevronLeft : ChevronRight;
              return (
                <button
                  key={side}
                  type="button"
                  tabIndex={-1}
                  className={classNames(
                    'grid place-items-center size-8 border border-line-strong rounded-[50%]',
                    'bg-surface cursor-pointer [transition:border-color_var(--quick)]',
                    'hover:border-ink disabled:border-line disabled:text-line-strong disabled:cursor-default',
                  )}
                  disabled={side < 0 ? ends.start : ends.end}
                  onClick={() => turn(side)}
                >
                  <Icon size={18} />
                </button>
              );
            })}
          </div>
        )}
      </div>
      <ul role="list" ref={row} className={styles.row} onScroll={look} onKeyDown={walk}>
        {books ? (
          <CoversBeside value={beside.some(({ id }) => id === books[0]?.id) ? beside : books}>
            {books.map((book) => (
              <li
                key={book.id}
                className="min-w-0 [scroll-snap-align:start]"
                ref={book.id === current ? inSight : null}
              >
                <BookOnShelf book={book} isCurrent={book.id === current} note={noteOf?.(book) ?? null} />
              </li>
            ))}
          </CoversBeside>
        ) : (
          Array.from({ length: PLACES }, (_, index) => (
            <li key={index} className="min-w-0 [scroll-snap-align:start]" aria-hidden="true">
              <div className="mb-2 aspect-2/3 [border-radius:2px_4px_4px_2px] bg-sunk" />
              <Skeleton width="85%" />
            </li>
          ))
        )}
      </ul>
    </section>
  );
}

interface BookOnShelfProps {
  book: CoveredBook;
  isCurrent: boolean;
  note: string | null;
}

function BookOnShelf({ book, isCurrent, note }: BookOnShelfProps) {
  return (
    <Link to={`/book/${book.id}`} className={styles.book} aria-current={isCurrent ? 'page' : undefined}>
      <BookCover book={book} className={styles.cover} />
      {note !== null && <span className="text-ink-soft text-1 leading-[1.35]">{note}</span>}
      <span className={styles.title}>{book.title}</span>
      <span className="text-ink-soft text-1 leading-[1.35] line-clamp-2">{authorNames(book)}</span>
    </Link>
  );
}

/** Scrolls the row, and not the page, to a place. */
function inSight(place: HTMLElement | null): void {
  const row = place?.parentElement;
  if (row) row.scrollLeft = place.offsetLeft - row.offsetLeft - (row.clientWidth - place.clientWidth) / 2;
}

/** Moves the focus along the books. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const links = [...event.currentTarget.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const step = STEPS[event.key as keyof typeof STEPS];
  const next =
    step === undefined ? links.at(ENDS[event.key as keyof typeof ENDS] ?? links.length) : links[at + step];
  if (at < 0 || !next) return;
  event.preventDefault();
  next.focus();
}

/** The row, at which ends it is, and a way to turn it by what is seen of it. */
function useTurning(shown: unknown) {
  const row = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ start: true, end: true });
  const look = useCallback(() => {
    if (!row.current) return;
    const { scrollLeft, scrollWidth, clientWidth } = row.current;
    const next = { start: scrollLeft <= 1, end: scrollLeft + clientWidth >= scrollWidth - 1 };
    setEnds((known) => (known.start === next.start && known.end === next.end ? known : next));
  }, []);
  useEffect(() => {
    if (!row.current) return;
    // Which also looks at once.
    const observer = new ResizeObserver(look);
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [look, shown]);
  const turn = (direction: number) =>
    row.current?.scrollBy({ left: direction * row.current.clientWidth * 0.85, behavior: 'smooth' });
  return { row, ends, look, turn };
}
