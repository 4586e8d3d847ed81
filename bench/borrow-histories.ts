import { randomUUID } from 'node:crypto';
import { jsonEvent, NO_STREAM, type EventStoreDBClient, type JSONEventType } from '@eventstore/db-client';
import { BORROW_EVENTS, borrowStream, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import { BORROW_POLICY, borrowRules } from '#circulation/rules/borrow.policy.js';
import { fold, NO_BORROWS } from '#circulation/borrow/borrow-state.js';

const DAY = 86_400_000;
const LIBRARIAN = randomUUID();
/** Appends under way at once. */
const WRITERS = 16;
const EVENTS_AN_APPEND = 1_000;
/** At most. */
const EVENTS_A_BORROW = 6;
const CLOSING: ReadonlySet<string> = new Set(['BooksReturned', 'BorrowExpired']);

type NewHistory = ReturnType<typeof toStore>[];

/**
 * One reader's events, as the decider makes them: borrows one after the other, some renewed, some late and
 * paid for, some never collected, and the last ones still open.
 * @param count how many events
 * @param books ids of the books there are
 */
export function borrowHistory(readerId: string, count: number, books: readonly number[]): BorrowEvent[] {
  const events: BorrowEvent[] = [];
  let state = NO_BORROWS;
  let now = Date.parse('2025-01-02T08:00:00.000Z');
  const run = (command: BorrowCommand) => {
    const decided = decide(state, command, borrowRules('Europe/Warsaw'));
    state = fold(decided, state);
    events.push(...decided);
  };
  const at = () => new Date(now).toISOString();
  for (let borrow = 0; events.length < count; borrow += 1) {
    // What ended decides nothing about what comes: without it, a long history takes no longer by the event.
    state = NO_BORROWS;
    const borrowId = randomUUID();
    const bookIds = [books[(borrow * 7) % books.length] ?? 1, books[(borrow * 7 + 3) % books.length] ?? 2];
    const lent = bookIds.map((bookId) => ({ bookId, title: `A book to measure with, volume ${bookId}` }));
    const desk = { borrowId, bookIds, librarianId: LIBRARIAN };
    run({ type: 'RentBooks', borrowId, readerId, books: lent, at: at() });
    now += DAY;
    if (borrow % 10 === 9) {
      now += BORROW_POLICY.collectDays * DAY;
      run({ type: 'ExpireBorrow', borrowId, at: at() });
      continue;
    }
    run({ type: 'IssueBooks', ...desk, at: at() });
    now += 10 * DAY;
    if (borrow % 3 === 1) run({ type: 'RenewBorrow', borrowId, renewedBy: readerId, at: at() });
    if (borrow % 5 === 2) {
      now += 20 * DAY;
      run({ type: 'ChargeFine', borrowId, at: at() });
      const amount = (state.borrows.get(borrowId)?.charged ?? 0) - (state.borrows.get(borrowId)?.paid ?? 0);
      run({
        type: 'RecordPayment',
        borrowId,
        amount,
        transactionId: randomUUID(),
        provider: 'sandbox',
        at: at(),
      });
    }
    run({ type: 'ReturnBooks', ...desk, at: at() });
    now += DAY;
  }
  return events.slice(0, count);
}

/**
 * Fills an event store with histories, each of a reader that nobody has heard of.
 */
export async function storeHistories(
  client: EventStoreDBClient,
  readers: number,
  eventsOfEach: number,
  books: readonly number[],
): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < readers) {
      next += 1;
      await storeHistory(client, randomUUID(), eventsOfEach, books);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

/** Stores the history of a reader who has none yet, in as few appends as can be. Gives the events. */
export async function storeHistory(
  client: EventStoreDBClient,
  readerId: string,
  count: number,
  books: readonly number[],
): Promise<BorrowEvent[]> {
  const events = borrowHistory(readerId, count, books);
  await appendHistory(client, readerId, events.map(toStore));
  return events;
}

/** The events of a reader who has brought everything back and paid for it, with their ids, at least so many. */
export function closedHistory(readerId: string, count: number, books: readonly number[]): NewHistory {
  const events = borrowHistory(readerId, count + EVENTS_A_BORROW, books);
  const end = events.findIndex(({ type }, index) => index >= count - 1 && CLOSING.has(type));
  return events.slice(0, end + 1).map(toStore);
}

/** Stores the events of a reader who has none yet. */
export async function appendHistory(
  client: EventStoreDBClient,
  readerId: string,
  events: NewHistory,
): Promise<void> {
  for (let from = 0; from < events.length; from += EVENTS_AN_APPEND) {
    await client.appendToStream(borrowStream(readerId), events.slice(from, from + EVENTS_AN_APPEND), {
      expectedRevision: from === 0 ? NO_STREAM : BigInt(from - 1),
    });
  }
}

/** An event as the product stores it. */
export function toStore({ type, data }: BorrowEvent) {
  const commandId = randomUUID();
  return jsonEvent<JSONEventType>({
    type,
    data: { ...data },
    metadata: {
      actor: LIBRARIAN,
      $correlationId: randomUUID(),
      $causationId: commandId,
      commandId,
      commandDigest: commandId.slice(0, 22),
      schemaVersion: BORROW_EVENTS[type].version,
    },
  });
}
