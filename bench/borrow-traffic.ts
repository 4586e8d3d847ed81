import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { httpCaller } from './http-caller.js';
import type { Person } from './library-people.js';

/** Borrows that are rented, issued and returned, so many events a second. */
export class BorrowTraffic {
  private readonly caller: ReturnType<typeof httpCaller>;
  private begun = 0;

  constructor(
    url: string,
    private readonly people: { librarian: Person; readers: Person[] },
    private readonly books: number[],
    private readonly eventsASecond: number,
  ) {
    this.caller = httpCaller(url, 16);
  }

  async run(seconds: number): Promise<void> {
    const borrows: Promise<void>[] = [];
    for (let left = (seconds * this.eventsASecond) / 3; left > 0; left -= 1) {
      borrows.push(this.borrow());
      await sleep(3000 / this.eventsASecond);
    }
    await Promise.all(borrows);
  }

  close(): void {
    this.caller.close();
  }

  private async borrow(): Promise<void> {
    const reader = this.people.readers[this.begun % this.people.readers.length] as Person;
    const body = { bookIds: [this.books[this.begun % this.books.length]] };
    this.begun += 1;
    const { call } = this.caller;
    const { borrowId } = (await call('/api/Borrow/rent-books', reader.token, body)) as CommandAnswer;
    for (const what of ['issue-books', 'return-books']) {
      await sleep(500);
      const path = `/api/Borrow/${what}?borrowId=${borrowId}&userId=${reader.id}`;
      await call(path, this.people.librarian.token, body);
    }
  }
}
