import { EventEmitter } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Database } from '#platform/database/database.js';
import type { Notifications } from '#platform/database/notifications.js';
import { HeldTitles } from './held-titles.js';

describe('the titles that are held', () => {
  const change = (...holds: number[]) => ({ position: '1', borrows: [], holds });
  let rows: number[];
  let answer: () => void;
  let notifications: EventEmitter;
  let titles: HeldTitles;

  beforeEach(() => {
    rows = [7];
    notifications = new EventEmitter();
    const query = () => {
      const found = { rows: rows.map((bookId) => ({ bookId })) };
      return new Promise((resolve) => (answer = () => resolve(found)));
    };
    titles = new HeldTitles({ query } as unknown as Database, notifications as unknown as Notifications);
    titles.onModuleInit();
  });

  async function read(): Promise<void> {
    expect(titles.mayInclude([1])).toBe(true);
    answer();
    await turn();
  }

  it('may be any until they are read; then those are, and what changes', async () => {
    await read();
    expect([titles.mayInclude([1, 2]), titles.mayInclude([2, 7])]).toEqual([false, true]);
    notifications.emit('readModels', change(2));
    // A merged book has the holds of another.
    notifications.emit('catalogue', { books: [3] });
    expect([1, 2, 3].map((id) => titles.mayInclude([id]))).toEqual([false, true, true]);
  });

  it('have what changed while they were read', async () => {
    expect(titles.mayInclude([1])).toBe(true);
    notifications.emit('readModels', change(2));
    answer();
    await turn();
    expect([1, 2, 7].map((id) => titles.mayInclude([id]))).toEqual([false, true, true]);
  });

  it.each([
    ['a change that names nobody', 'readModels', { position: '1' }],
    ['a change of the whole catalogue', 'catalogue', 'everything'],
    ['a lost connection', 'gap', undefined],
  ])('are read again after %s, also one during the reading', async (_, name, payload) => {
    await read();
    notifications.emit(name, payload);
    expect(titles.mayInclude([1])).toBe(true);
    notifications.emit(name, payload);
    answer();
    await turn();
    rows = [1];
    await read();
    expect([titles.mayInclude([1]), titles.mayInclude([7])]).toEqual([true, false]);
  });
});
