import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { httpCaller, type Call } from './http-caller.js';
import type { Person } from './library-people.js';

/** Borrows that are rented, issued and returned, so many events a second. */
export class BorrowTraffic {
  private begun = 0;

  constructor(
    private readonly url: string,
    private readonly people: { librarian: Person; readers: Person[] },
    private readonly books: number[],
    private readonly eventsASecond: number,
  ) {}

  async run(seconds: number): Promise<void> {
    // Anew each time: the server closes connections that nobody uses for a while.
    const { call, close } = httpCaller(this.url, 16);
    const begin = async (at: number) => {
      await sleep((at * 3000) / this.eventsASecond);
      await this.borrow(call);
    };
    const count = Math.ceil((seconds * this.eventsASecond) / 3);
    await Promise.all(Array.from({ length: count }, (_, at) => begin(at))).finally(close);
  }

  private async borrow(call: Call): Promise<void> {
    const reader = this.people.readers[this.begun % this.people.readers.length] as Person;
    const body = { bookIds: [this.books[this.begun % this.books.length]] };
    this.begun += 1;
    const { borrowId } = (await call('/api/Borrow/rent-books', reader.token, body)) as CommandAnswer;
    for (const what of ['issue-books', 'return-books']) {
      await sleep(500);
      const path = `/api/Borrow/${what}?borrowId=${borrowId}&userId=${reader.id}`;
      await call(path, this.people.librarian.token, body);
    }
  }
}
