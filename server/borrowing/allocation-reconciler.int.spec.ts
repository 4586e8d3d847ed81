import { randomUUID } from 'node:crypto';
import type { BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { startProduct } from '../../test-support/product/product.js';
import { atEnd, shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';

/** Each half of the copy protocol alone, as a process that dies in between leaves it. */
describe('copies that were taken before a process died', () => {
  // Looked for every second.
  const product = shared(() => startProduct(undefined, { environment: { HOLD_STALE_SECONDS: '1' } }));

  const taking = async () => {
    const { pseudonym: readerId } = await product.account();
    const [bookId, borrowId, librarianId] = [await product.book(1), randomUUID(), randomUUID()];
    const at = new Date().toISOString();
    const of = { borrowId, readerId, at };
    const desk = { ...of, bookIds: [bookId], librarianId };
    const run = (command: BorrowCommand) => product.change(readerId, command);
    // They are as young as can be, until `breakOff`.
    const take = (call: string) =>
      product.database.query(
        `select ${call}; update copy_allocation set taken_at = 'infinity' where borrow_id = '${borrowId}'`,
      );
    return {
      borrowId,
      take: () => take(`take_copies('${borrowId}', '${readerId}', '{${bookId}}', null, null)`),
      takeAgain: () => take(`retake_copies('${borrowId}', '{${bookId}}')`),
      rent: () => run({ type: 'RentBooks', ...of, books: [{ bookId, title: 'Solaris' }] }),
      async comesBack() {
        await run({ type: 'IssueBooks', ...desk });
        await run({ type: 'ReturnBooks', ...desk });
        await waitFor(async () => (await product.copies(bookId)) === 1);
      },
      undoReturn: () => run({ type: 'Undo', ...of, revision: 2, librarianId }),
      copies: () => product.copies(bookId),
    };
  };
  type Taking = Awaited<ReturnType<typeof taking>>;
  const breakOff = ({ borrowId }: Taking) =>
    product.database.query(`update copy_allocation set taken_at = '-infinity' where borrow_id = $1`, [
      borrowId,
    ]);
  const settled = ({ borrowId }: Taking) =>
    waitFor(async () => {
      const { rowCount } = await product.database.query(
        `select from copy_allocation where borrow_id = $1 and state = 'pending'`,
        [borrowId],
      );
      return rowCount === 0;
    });
  atEnd(async () => expect(await product.differences()).toEqual([]));

  it('go back where no event was stored: a fence goes in, and a late append is refused', async () => {
    const rent = await taking();
    await rent.take();
    expect(await rent.copies()).toBe(0);
    await breakOff(rent);
    await settled(rent);
    await waitFor(async () => (await rent.copies()) === 1);
    // The process was not dead, only slow.
    await expect(rent.rent()).rejects.toMatchObject({ code: 'RentAbandoned' });
    expect(await rent.copies()).toBe(1);
  });

  it('go back where a return was to be undone, too', async () => {
    const undoing = await taking();
    await undoing.take();
    await undoing.rent();
    await undoing.comesBack();
    await undoing.takeAgain();
    expect(await undoing.copies()).toBe(0);
    await breakOff(undoing);
    await settled(undoing);
    await waitFor(async () => (await undoing.copies()) === 1);
    await expect(undoing.undoReturn()).rejects.toMatchObject({ code: 'NothingToUndo' });
  });

  it('stay with the reader where the event was stored, before any row says so', async () => {
    const [rent, undoing] = [await taking(), await taking()];
    await undoing.take();
    await undoing.rent();
    await undoing.comesBack();
    await Promise.all([rent.take(), undoing.takeAgain()]);
    await product.closeProjections();
    await rent.rent();
    await undoing.undoReturn();
    for (const each of [rent, undoing]) {
      await breakOff(each);
      await settled(each);
    }
    await product.startProjections();
    expect([await rent.copies(), await undoing.copies()]).toEqual([0, 0]);
  });
});
