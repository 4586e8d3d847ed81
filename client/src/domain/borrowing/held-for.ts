import type { BorrowView, TakenBack } from '#contracts/borrowing/borrow-views.js';

/** Where at the desk a copy waits for a reader: by the first letter of their name, as it is shown. */
export function holdShelfFor(fullname: string): string {
  return ([...fullname.trim()][0] ?? '').toLocaleUpperCase('pl');
}

/** Where a copy goes that somebody waits for. */
export function heldFor(fullname: string): string {
  return `For ${fullname}, shelf ${holdShelfFor(fullname)}`;
}

/** Where books go that came back, as far as somebody waits for them; nothing where they go back to their shelves. */
export function heldForText(
  kept: TakenBack['keptFor'] | undefined,
  { borrowedBooks }: Pick<BorrowView, 'borrowedBooks'>,
): string | undefined {
  if (!kept?.length) return undefined;
  const title = (bookId: number) => borrowedBooks.find((book) => book.bookId === bookId)?.title ?? '';
  return kept
    .map(({ bookId, user: { fullname } }) =>
      borrowedBooks.length === 1 ? heldFor(fullname) : `${title(bookId)}: ${heldFor(fullname)}`,
    )
    .join('; ');
}
