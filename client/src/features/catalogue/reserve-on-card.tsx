import type { BookListItem } from '#contracts/catalogue/book-views.js';
import { useOwnHold } from '../../domain/holds/get-holds.js';
import { ordinal } from '../../domain/holds/hold-texts.js';
import { ReserveButton } from '../../domain/holds/reserve-button.js';

/** What a reader can do about a title of which every copy is lent; or that they wait for it already. */
export function ReserveOnCard({ book }: { book: BookListItem }) {
  const own = useOwnHold(book.id);
  if (own) {
    return (
      <p className="text-accent-text text-1 font-strong">
        {own.place === null ? 'Waits for you' : `Reserved, ${ordinal(own.place)} in line`}
      </p>
    );
  }
  return (
    <ReserveButton
      book={book}
      size="small"
      // Above the whole card, which leads to the book.
      className="z-1"
    />
  );
}
