import type { BookListItem, BookPage, PartialMatches } from '#contracts/catalogue/book-views.js';
import * as m from '#words/messages.js';
import { CoversBeside } from '../../domain/covers/covered-book.js';
import { pageLanguage } from '../../lib/texts.js';
import { classNames } from '../../lib/class-names.js';
import { BookCard, BookCardSkeleton } from './book-card.js';

const words = new Intl.ListFormat(pageLanguage(), { type: 'conjunction' });

interface BookGroupsProps {
  /** Undefined while it is loading. */
  page: BookPage | undefined;
  pageNumber: number;
  pageSize: number;
  isStale: boolean;
}

/** The books of a page; under a heading of their own those that lack something of what was searched for. */
export function BookGroups({ page, pageNumber, pageSize, isStale }: BookGroupsProps) {
  if (!page) {
    return (
      <Grid isStale={isStale}>
        {Array.from({ length: pageSize }, (_, index) => (
          <li key={index}>
            <BookCardSkeleton />
          </li>
        ))}
      </Grid>
    );
  }
  const groups = groupsOf(page, (pageNumber - 1) * pageSize).map(({ without, books }) => (
    <div key={without.join(' ')} className="flex flex-col gap-5 not-first:mt-10">
      {without.length > 0 && (
        <h2 className="pb-2 border-b border-line text-2 text-ink-soft wrap-anywhere">
          {m.catalog_without({ words: words.format(without.map((word) => m.catalog_quoted({ word }))) })}
        </h2>
      )}
      <Grid isStale={isStale}>
        {books.map((book) => (
          <li key={book.id}>
            <BookCard book={book} />
          </li>
        ))}
      </Grid>
    </div>
  ));
  return <CoversBeside value={page.items}>{groups}</CoversBeside>;
}

/** "1 book for “dune 1990”, 3 that come close" */
export function foundText({ totalCount, partial = [] }: BookPage, term: string): string {
  const close = partial.reduce((sum, { books }) => sum + books, 0);
  const count = totalCount - close;
  if (close > 0)
    return count > 0
      ? m.catalog_found_and_close({ count, close, term })
      : m.catalog_close_alone({ close, term });
  return term === '' ? m.common_books_count({ count }) : m.list_books_found({ count, term });
}

function Grid({ isStale, children }: { isStale: boolean; children: React.ReactNode }) {
  return (
    <ul
      role="list"
      className={classNames(
        'grid grid-cols-6 gap-x-5 gap-y-6 [transition:opacity_var(--quick)]',
        'data-stale:opacity-55',
        'to-1100:grid-cols-4 to-960:grid-cols-6 to-760:grid-cols-4 to-560:grid-cols-3 to-560:gap-x-3 to-560:gap-y-4',
      )}
      data-stale={isStale || undefined}
    >
      {children}
    </ul>
  );
}

/** The books of a page by what they lack. @param offset books of the list before the page */
function groupsOf(
  { items, totalCount, partial = [] }: BookPage,
  offset: number,
): { without: readonly string[]; books: readonly BookListItem[] }[] {
  const close = partial.reduce((sum, { books }) => sum + books, 0);
  const whole: PartialMatches = { without: [], books: totalCount - close };
  let end = -offset;
  return [whole, ...partial].flatMap(({ without, books: many }) => {
    const from = Math.max(0, end);
    end += many;
    const books = items.slice(from, Math.max(0, end));
    return books.length === 0 ? [] : [{ without, books }];
  });
}
