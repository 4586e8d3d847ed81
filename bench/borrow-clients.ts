import { randomUUID } from 'node:crypto';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import type { Call } from './http-caller.js';

/** Somebody who calls, with their token. */
export interface Caller {
  id: string;
  token: string;
}

export type Operation = (client: number) => Promise<unknown>;

/**
 * Each client is a reader with a book of their own; its requests are in turn their rent, its issue and its return.
 */
export function borrowSteps(
  call: Call,
  readers: readonly Caller[],
  librarian: Caller,
  books: readonly number[],
): Operation {
  const underWay = readers.map(() => ({ next: 'rent', borrowId: '' }));
  return async (client) => {
    const reader = readers[client];
    const borrow = underWay[client];
    if (!reader || !borrow) throw new Error('More clients than readers.');
    const body = { bookIds: [books[client]] };
    const atTheDesk = (what: string) =>
      call(`/api/Borrow/${what}?borrowId=${borrow.borrowId}&userId=${reader.id}`, librarian.token, body);
    if (borrow.next === 'rent') {
      borrow.borrowId = (
        (await call('/api/Borrow/rent-books', reader.token, body)) as CommandAnswer
      ).borrowId;
      borrow.next = 'issue';
    } else if (borrow.next === 'issue') {
      await atTheDesk('issue-books');
      borrow.next = 'return';
    } else {
      await atTheDesk('return-books');
      borrow.next = 'rent';
    }
  };
}

/** A key for each call, as the screens send one. */
export const newKey = () => ({ 'idempotency-key': randomUUID() });
