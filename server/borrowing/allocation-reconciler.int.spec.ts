import { randomUUID } from 'node:crypto';
import { createLogger } from '#platform/logging.js';
import { SystemClock } from '#platform/clock.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { startProduct } from '../../test-support/product.js';
import { waitFor } from '../../test-support/wait-for.js';
import { shared } from '../../test-support/shared.js';
import { CopyAllocations } from './copy-allocations.js';
import { AllocationReconciler } from './allocation-reconciler.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { RefusedCommands } from '../idempotency/refused-commands.js';
import type { HeldCopies } from './holds/held-copies.js';
import { LateFees } from './accrue-fee.command.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { ReaderBlocks } from './reader-blocks.js';
import type { ReaderKinds } from './known-readers.js';
import { ReaderStreams } from './streams/reader-streams.js';
import { RentBooks, RentBooksHandler } from './borrow.commands.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import type { ReadModelProgress } from '../read-models/read-model-progress.js';
import { LibraryRules } from '#rules/library-rules.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';

/** Each half of the copy protocol alone, as a process that dies in between leaves it. */
const rules = new LibraryRules(new LibraryTimeZone('UTC'));
/** No hold is in the way of these rents. */
const kept = undefined as unknown as HeldCopies;
const kinds = { of: async () => 'adult' } as unknown as ReaderKinds;
/** The rows have all that there is. */
const progress = {
  position: 0n,
  current: async () => true,
  hasMovedOn: async () => false,
} as unknown as ReadModelProgress;
const blocks = { refuse: () => undefined, wordsFor: () => undefined } as unknown as ReaderBlocks;

describe('a rent that was broken off', () => {
  const clock = new SystemClock();

  const product = shared(() => startProduct());
  const holds = shared(() => new CopyAllocations(product.database, product.settings, progress));
  const streams = shared(() => new ReaderStreams(product.log));
  const refused = shared(() => new RefusedCommands(product.database, clock, undefined as unknown as Jobs));
  const reconciler = shared(
    () => new AllocationReconciler(streams, holds, clock, rules, createLogger('silent'), product.settings),
  );

  const contextOf = (actor: string) => ({
    actor,
    correlationId: 'test-correlation',
    isNamed: true,
    ...commandIdentity(randomUUID(), actor, 'RentBooks', {}),
  });

  /** @param position of an event that the rows have to know of: the reconciler confirms without them */
  const settled = (position = -1n) =>
    waitFor(async () => {
      const { rowCount } = await product.database.query(
        `select from ${READ_MODEL}.checkpoint
         where commit_position >= $1 and not exists (select from copy_allocation where state = 'pending')`,
        [position.toString()],
      );
      return rowCount === 1;
    });

  it('after the copies were taken: a fence goes in, the copies go back, and a late append is refused', async () => {
    const { id: readerId } = await product.account();
    const bookId = await product.book(1);
    const borrowId = randomUUID();
    const books = await holds.take(borrowId, readerId, [bookId]);
    expect(await product.copies(bookId)).toBe(0);

    await reconciler.reconcile(0);
    await settled();
    expect(await product.copies(bookId)).toBe(1);

    // The process was not dead, only slow.
    const late = streams.execute(readerId, contextOf(readerId), (state) =>
      decide(
        state,
        { type: 'RentBooks', borrowId, readerId, books, at: clock.now().toISOString() },
        borrowRules('UTC'),
      ),
    );
    await expect(late).rejects.toMatchObject({ code: 'RentAbandoned' });
    await reconciler.reconcile(0);
    expect(await product.copies(bookId)).toBe(1);
    expect(await product.differences()).toEqual([]);
  });

  it('after the event was stored: the hold is confirmed, and no copy goes back', async () => {
    const { id: readerId } = await product.account();
    const bookId = await product.book(1);
    const borrowId = randomUUID();
    const books = await holds.take(borrowId, readerId, [bookId]);
    const { position } = await streams.execute(readerId, contextOf(readerId), (state) =>
      decide(
        state,
        { type: 'RentBooks', borrowId, readerId, books, at: clock.now().toISOString() },
        borrowRules('UTC'),
      ),
    );
    await reconciler.reconcile(0);
    await settled(position);
    expect(await product.copies(bookId)).toBe(0);
    expect(await product.differences()).toEqual([]);
  });

  it('of undoing a return, after its copies were taken again: a fence goes in, they go back, a late append is refused', async () => {
    const { pseudonym: readerId } = await product.account();
    const bookIds = [await product.book(1)];
    const borrowId = randomUUID();
    const librarianId = randomUUID();
    const at = clock.now().toISOString();
    const books = await holds.take(borrowId, readerId, bookIds);
    const run = (command: BorrowCommand) =>
      streams.execute(readerId, contextOf(readerId), (state) => decide(state, command, borrowRules('UTC')));
    await run({ type: 'RentBooks', borrowId, readerId, books, at });
    await run({ type: 'IssueBooks', borrowId, bookIds, librarianId, at });
    await run({ type: 'ReturnBooks', borrowId, bookIds, librarianId, at });
    await waitFor(async () => (await product.copies(bookIds[0] ?? 0)) === 1);

    expect(await holds.retake(borrowId, bookIds)).toEqual([]);
    expect(await product.copies(bookIds[0] ?? 0)).toBe(0);
    await reconciler.reconcile(0);
    await settled();
    expect(await product.copies(bookIds[0] ?? 0)).toBe(1);
    const undo = { type: 'Undo' as const, borrowId, readerId, revision: 2, librarianId, at };
    await expect(run(undo)).rejects.toMatchObject({ code: 'NothingToUndo' });
    expect(await product.differences()).toEqual([]);

    // Where the event was stored, the copies stay with the reader.
    const again = randomUUID();
    const taken = await holds.take(again, readerId, bookIds);
    await run({ type: 'RentBooks', borrowId: again, readerId, books: taken, at });
    await run({ type: 'IssueBooks', borrowId: again, bookIds, librarianId, at });
    const { state } = await run({ type: 'ReturnBooks', borrowId: again, bookIds, librarianId, at });
    await waitFor(async () => (await product.copies(bookIds[0] ?? 0)) === 1);
    await holds.retake(again, bookIds);
    const { position } = await run({ ...undo, borrowId: again, revision: state.revision });
    await reconciler.reconcile(0);
    await settled(position);
    expect(await product.copies(bookIds[0] ?? 0)).toBe(0);
    expect(await product.differences()).toEqual([]);
  });

  it('and is repeated with its key before the reconciler came: it goes on with the copies it holds', async () => {
    const { id: readerId } = await product.account();
    const bookId = await product.book(1);
    const context = contextOf(readerId);
    const handler = new RentBooksHandler(
      streams,
      holds,
      refused,
      new LateFees(streams, rules),
      clock,
      rules,
      blocks,
      kept,
      kinds,
    );
    const broken = new RentBooksHandler(
      Object.assign(Object.create(streams) as ReaderStreams, {
        execute: () => Promise.reject(new Error('the process died here')),
      }),
      holds,
      refused,
      new LateFees(streams, rules),
      clock,
      rules,
      blocks,
      kept,
      kinds,
    );
    await expect(broken.execute(new RentBooks({ readerId, bookIds: [bookId], context }))).rejects.toThrow(
      'died here',
    );
    expect(await product.copies(bookId)).toBe(0);
    const { borrowId } = await handler.execute(new RentBooks({ readerId, bookIds: [bookId], context }));
    await settled();
    expect(await product.copies(bookId)).toBe(0);

    // Another process, which knows of nothing yet, is asked the same.
    const otherStreams = new ReaderStreams(product.log);
    const elsewhere = new RentBooksHandler(
      otherStreams,
      holds,
      refused,
      new LateFees(otherStreams, rules),
      clock,
      rules,
      blocks,
      kept,
      kinds,
    );
    const again = await elsewhere.execute(new RentBooks({ readerId, bookIds: [bookId], context }));
    expect(again.borrowId).toBe(borrowId);
    expect(await product.differences()).toEqual([]);
  });
});
