import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { doAtDesk, eventsOf, rent, type TestBorrow } from './borrow-steps.js';
import type { TestAccount, TestProduct } from './product.js';
import type { TestClock } from '../test-clock.js';

const DAY = 24 * 3_600_000;

/** A reader, with a session of now, whose books were due yesterday: one day is to be paid, and nobody has charged it yet. */
export interface LateBorrow extends TestBorrow {
  /** A librarian takes the books back, or is refused. */
  takeBack: () => ReturnType<TestAccount['post']>;
  /** The stored events of one type. */
  events: <Type extends BorrowEvent['type']>(type: Type) => ReturnType<typeof eventsOf<Type>>;
}

/**
 * Rents, issues and moves the time beyond the due date.
 * @param titles of the books; each costs 0.50 PLN a day
 */
export async function lateBorrow(
  product: TestProduct,
  clock: TestClock,
  titles: readonly string[] = ['Solaris', 'Lalka'],
): Promise<LateBorrow> {
  const [reader, admin] = await Promise.all([product.account(), product.account('Admin')]);
  const borrow = await rent(product, reader, titles);
  await doAtDesk(admin, 'issue-books', borrow);
  await clock.forward(15 * DAY);
  return {
    ...borrow,
    reader: await product.signIn(reader),
    takeBack: async () => doAtDesk(await product.signIn(admin), 'return-books', borrow),
    events: (type) => eventsOf(product, reader, type),
  };
}
