import { randomUUID } from 'node:crypto';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import type { TestProduct } from '../product/product.js';

/**
 * Stores histories of some readers, an event of each by turns.
 * @param between done after each turn
 * @returns the ids of each reader's events, in their order
 */
export async function storeByTurns(
  product: Pick<TestProduct, 'closedHistory' | 'eventStore'>,
  readers: number,
  eventsOfEach: number,
  between: () => Promise<void> = async () => undefined,
): Promise<string[][]> {
  const all = await Promise.all(
    Array.from({ length: readers }, async () => {
      const readerId = randomUUID();
      return {
        stream: borrowStream(readerId),
        history: await product.closedHistory(readerId, eventsOfEach),
      };
    }),
  );
  for (let turn = 0; all.some(({ history }) => turn < history.length); turn += 1) {
    for (const { stream, history } of all) {
      const event = history[turn];
      if (event) await product.eventStore.appendToStream(stream, event);
    }
    await between();
  }
  return all.map(({ history }) => history.map(({ id }) => id));
}
