import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { TestAccount, TestProduct } from './product.js';
import type { TestClock } from './test-clock.js';

const DAY = 24 * 3_600_000;

/** A reader whose books were due yesterday: one day is to be paid, and nobody has charged it yet. */
export interface LateBorrow {
  borrowId: string;
  bookIds: number[];
  /** The reader, with a session of now. */
  reader: TestAccount;
  /** A librarian takes the books back, or is refused. */
  takeBack: () => ReturnType<TestAccount['post']>;
  /** The stored events of one type. */
  events: <Type extends BorrowEvent['type']>(
    type: Type,
  ) => Promise<Extract<BorrowEvent, { type: Type }>['data'][]>;
}

/**
 * Rents, issues and moves the time beyond the due date.
 * @param titles of the books; each costs 0.50 PLN a day
 */
export async function lateBorrow(
  product: TestProduct,
  clock: TestClock,
  titles: string[] = ['Solaris', 'Lalka'],
): Promise<LateBorrow> {
  const account = await product.account();
  const admin = await product.account('Admin');
  const bookIds: number[] = [];
  for (const title of titles) bookIds.push(await product.book(1, title));
  const { body } = await account.post('Borrow/rent-books', { bookIds });
  const borrowId = body.borrowId as string;
  const desk = `borrowId=${borrowId}&userId=${account.id}`;
  await admin.post(`Borrow/issue-books?${desk}`, { bookIds });
  await clock.forward(15 * DAY);
  return {
    borrowId,
    bookIds,
    reader: await product.signIn(account),
    takeBack: async () => (await product.signIn(admin)).post(`Borrow/return-books?${desk}`, { bookIds }),
    events: async (type) =>
      (await product.log.readStream('borrows', account.pseudonym)).flatMap(({ event }) =>
        event.type === type ? [event.data as never] : [],
      ),
  };
}
