import { randomUUID } from 'node:crypto';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import { closedHistory } from '../bench/borrow-histories.js';

/** Ids of no book: nothing here looks at the catalogue. */
const BOOKS = Array.from({ length: 10 }, (_, index) => 900_000 + index);

/**
 * Stores histories of some readers, an event of each by turns.
 * @param between done after each turn
 * @returns the ids of each reader's events, in their order
 */
export async function storeByTurns(
  client: EventStoreDBClient,
  readers: number,
  eventsOfEach: number,
  between: () => Promise<void> = async () => undefined,
): Promise<string[][]> {
  const all = Array.from({ length: readers }, () => {
    const stream = randomUUID();
    return { stream: borrowStream(stream), history: closedHistory(stream, eventsOfEach, BOOKS) };
  });
  for (let turn = 0; all.some(({ history }) => turn < history.length); turn += 1) {
    for (const { stream, history } of all) {
      const event = history[turn];
      if (event) await client.appendToStream(stream, event);
    }
    await between();
  }
  return all.map(({ history }) => history.map(({ id }) => id));
}
