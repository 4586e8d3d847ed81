import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { addCopy, decideOnCopy } from '#copies/copy.decider.js';
import type { Connection, Statements } from '#platform/database/database.js';
import { atHand, copiesOnShelf, lockCounters } from './copy-rows.js';
import { writeCopies, type CopyContext, type DecidedEvent } from './copy-writer.js';

/** Of one book, in service. */
export const MAX_COPIES = 10_000;

/** The last event of a copy is not in the log yet: the next one has to wait for it. */
export class EventPending extends Error {
  constructor(
    readonly bookId: number,
    readonly copies: readonly number[],
  ) {
    super(`the last event of ${copies.map((copy) => copyCode({ bookId, copy })).join(', ')} is pending`);
  }
}

/** Gives a book copies of these numbers, the next ones. The caller has locked the book. */
export async function addCopies(
  transaction: Statements,
  bookId: number,
  numbers: readonly number[],
  { shelfMark, at, isNamed = false }: { shelfMark: string | null; at: string; isNamed?: boolean },
  context: CopyContext,
): Promise<void> {
  const decided = numbers.map((copy): DecidedEvent => {
    const event = addCopy({ bookId, copy }, { shelfMark, by: context.actor, at });
    return { bookId, copy, event, before: undefined, revision: -1, isNamed };
  });
  await writeCopies(transaction, bookId, decided, context);
}

/**
 * Adds so many copies to a book, or withdraws as many that stand on its shelf, those with the last numbers. The caller has
 * locked the book, and knows that there are so many.
 * @param more below 0 to withdraw
 * @returns the numbers of the copies that have new events
 * @throws EventPending
 */
export async function changeNumberOfCopies(
  connection: Connection,
  bookId: number,
  more: number,
  context: CopyContext,
  now: Date,
): Promise<number[]> {
  const at = now.toISOString();
  if (more <= 0) return more === 0 ? [] : withdrawCopies(connection, bookId, -more, context, at);
  const last = (await lockCounters(connection, bookId))?.numbered ?? 0;
  const numbers = Array.from({ length: more }, (_, n) => last + n + 1);
  await addCopies(connection, bookId, numbers, { shelfMark: null, at }, context);
  return numbers;
}

async function withdrawCopies(
  connection: Connection,
  bookId: number,
  count: number,
  context: CopyContext,
  at: string,
): Promise<number[]> {
  const rows = await copiesOnShelf(connection, bookId, count);
  const pending = rows.filter(({ is_pending }) => is_pending).map(({ copy }) => copy);
  if (pending.length > 0) throw new EventPending(bookId, pending);
  const decided = rows.flatMap((row): DecidedEvent[] => {
    const id: CopyOfBook = { bookId, copy: row.copy };
    const { state, ...copy } = atHand(id, row, undefined);
    const event = decideOnCopy({ ...copy, state }, { type: 'WithdrawCopy', by: context.actor, at });
    return event ? [{ ...id, event, before: state, revision: row.revision }] : [];
  });
  await writeCopies(connection, bookId, decided, context);
  return decided.map(({ copy }) => copy);
}
