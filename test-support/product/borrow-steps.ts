import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { Answer, Caller } from './caller.js';
import type { TestAccount, TestProduct } from './product.js';

/** A borrow, with its reader. */
export interface TestBorrow {
  borrowId: string;
  reader: TestAccount;
  bookIds: number[];
}

/** The address of a call that a librarian makes about a reader's borrow: `issue-books`, `undo`. */
export const atDesk = (call: string, { borrowId, reader }: Pick<TestBorrow, 'borrowId' | 'reader'>) =>
  `Borrow/${call}?borrowId=${borrowId}&userId=${reader.id}`;

/** A librarian hands over all books of a borrow, takes them back. */
export const doAtDesk = (
  librarian: Pick<Caller, 'post'>,
  call: string,
  borrow: TestBorrow,
): Promise<Answer> => librarian.post(atDesk(call, borrow), { bookIds: borrow.bookIds });

/** A reader rents books that are there. @param titles or the ids of the books */
export async function rent(
  product: Pick<TestProduct, 'book'>,
  reader: TestAccount,
  books: readonly (string | number)[] = ['Solaris'],
): Promise<TestBorrow> {
  const bookIds: number[] = [];
  for (const book of books) bookIds.push(typeof book === 'number' ? book : await product.book(1, book));
  const { status, body } = await reader.post('Borrow/rent-books', { bookIds });
  expect(status).toBe(200);
  return { borrowId: body.borrowId as string, reader, bookIds };
}

/** A librarian lends a reader books that are there. */
export async function lend(
  librarian: Pick<Caller, 'post'>,
  reader: TestAccount,
  bookIds: number[],
): Promise<TestBorrow> {
  const { status, body } = await librarian.post(`Borrow/lend?userId=${reader.id}`, { bookIds });
  expect(status).toBe(200);
  return { borrowId: body.borrowId as string, reader, bookIds };
}

/** What a reader's list says of their borrows, the latest first. */
export const historyOf = async (reader: Pick<Caller, 'get'>) =>
  (await reader.get('Borrow/history')).body as BorrowView[];

/** The stored events of a reader of one type: their data, and who did it. */
export async function eventsOf<Type extends BorrowEvent['type']>(
  product: Pick<TestProduct, 'log'>,
  { pseudonym }: Pick<TestAccount, 'pseudonym'>,
  type: Type,
): Promise<(Extract<BorrowEvent, { type: Type }>['data'] & { actor: string })[]> {
  return (await product.log.readStream('borrows', pseudonym)).flatMap(({ event, metadata }) =>
    event.type === type ? [{ ...event.data, actor: metadata.actor } as never] : [],
  );
}

/** Gives a book's first copy a label of an earlier system. */
export const setLabel = (product: Pick<TestProduct, 'database'>, bookId: number, label: string) =>
  product.database.query(
    `insert into copy (book_id, copy, condition, label, revision, changed_at)
     values ($1, 1, 'present', $2, -1, now())`,
    [bookId, label],
  );

/** Gives a reader a card of an earlier system. */
export const setCard = (
  product: Pick<TestProduct, 'database'>,
  reader: Pick<TestAccount, 'id'>,
  card: string,
) => product.database.query('update reader_card set number = $2 where account_id = $1', [reader.id, card]);
