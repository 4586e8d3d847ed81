import { setTimeout as sleep } from 'node:timers/promises';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import type { Paged } from '#contracts/paging.js';
import type { Database } from '#platform/database/database.js';
import { makeBook } from '../../test-support/product/make-book.js';
import { makeAccount, type Site } from '../../test-support/product/product.js';
import type { Random } from './random.js';
import { SentCommand, type Person } from './sent-command.js';

export interface Library {
  url: string;
  readers: Person[];
  librarians: Person[];
  /** Few copies each: more readers want them than there are. */
  bookIds: number[];
  /** Readers with loans that can be renewed. What is lent today gains no day by it. */
  borrowers?: Person[];
  /** Milliseconds between two renewals of one of them, about: they last for the whole of the load. */
  renewEvery?: number;
}

/** @param copies of each book */
export async function populate(
  site: Site,
  database: Database,
  { readers, librarians, copies }: { readers: number; librarians: number; copies: readonly number[] },
): Promise<Library> {
  const people = (role: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => makeAccount(site, [role])));
  return {
    url: site.url,
    readers: await people('Reader', readers),
    librarians: await people('Admin', librarians),
    bookIds: await Promise.all(copies.map((each, index) => makeBook(database, each, `Book ${index}`))),
  };
}

/** How often a librarian looks for books whose fee was paid. */
const LOOKS_FOR_PAID = 0.15;
/** How often a client that got no answer forgets the command instead of asking again. */
const GIVES_UP = 0.15;
/** How often a command is sent twice at the same moment, and how often again after its answer. */
const SENT_TWICE = 0.1;

/** Readers who fight over the last copies and librarians who issue them and take them back, all until told to stop. */
export class BorrowLoad {
  readonly commands: SentCommand[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly library: Library,
    private readonly random: Random,
  ) {}

  start(): void {
    this.running = Promise.all([
      ...this.library.readers.map((reader) => this.until(() => this.rent(reader))),
      ...(this.library.borrowers ?? []).map((borrower) => this.until(() => this.renew(borrower))),
      ...this.library.librarians.map((librarian) => this.until(() => this.serve(librarian))),
    ]);
  }

  /** Resolves when every client has ended what it was doing. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async until(step: () => Promise<void>): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await step();
      await sleep(this.random.between(5, 60));
    }
  }

  private async rent(reader: Person): Promise<void> {
    const wanted = new Set([this.random.pick(this.library.bookIds)]);
    if (this.random.chance(0.4)) wanted.add(this.random.pick(this.library.bookIds));
    const command = new SentCommand('RentBooks', reader, reader.id, [...wanted]);
    await this.send(command);
    // Refused readers come back in a moment, and leave the product to those who bring books back.
    if (!command.acknowledged) await sleep(this.random.between(50, 250));
  }

  private async renew(reader: Person): Promise<void> {
    const borrows = (await this.ask<BorrowView[]>(reader, 'Borrow/history')) ?? [];
    const renewable = borrows.filter(({ availableActions }) => availableActions.includes('renew'));
    if (renewable.length === 0) return this.pause(1_000);
    const { id, dueDate } = this.random.pick(renewable);
    if (dueDate === null) return;
    await this.send(new SentCommand('RenewBorrow', reader, reader.id, [], id, dueDate));
    await this.pause(this.random.between(0.5, 1.5) * (this.library.renewEvery ?? 0));
  }

  /** Until it is told to stop, at most. */
  private async pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }

  private async serve(librarian: Person): Promise<void> {
    // Both, as the copies of borrows that nobody comes to see would stay out until the end.
    const open = [...(await this.queue(librarian, 'Rented')), ...(await this.queue(librarian, 'Issued'))];
    if (this.random.chance(LOOKS_FOR_PAID)) open.push(...(await this.queue(librarian, 'Paid')));
    // What is to be renewed stays with its reader.
    const waiting = open.filter(({ user }) => !this.library.borrowers?.some(({ id }) => id === user.id));
    const borrow = waiting.length > 0 ? this.random.pick(waiting) : undefined;
    if (!borrow) return void (await sleep(50));
    const books = borrow.borrowedBooks.map(({ bookId }) => bookId);
    const type = borrow.status === 'Rented' ? 'IssueBooks' : 'ReturnBooks';
    await this.send(new SentCommand(type, librarian, borrow.user.id, books, borrow.id));
  }

  private async queue(librarian: Person, status: BorrowStatus): Promise<BorrowView[]> {
    return (await this.ask<Paged<BorrowView>>(librarian, `Borrow?SortBy=${status}`))?.items ?? [];
  }

  private async ask<Answer>({ token }: Person, call: string): Promise<Answer | undefined> {
    try {
      const response = await fetch(`${this.library.url}/api/${call}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(8_000),
      });
      return response.status === 200 ? ((await response.json()) as Answer) : undefined;
    } catch {
      return undefined;
    }
  }

  private async send(command: SentCommand): Promise<void> {
    this.commands.push(command);
    const once = () =>
      command.insist(this.library.url, this.stopping.signal, () => this.random.chance(GIVES_UP));
    await Promise.all(this.random.chance(SENT_TWICE) ? [once(), once()] : [once()]);
    if (command.answers.length > 0 && this.random.chance(SENT_TWICE)) await command.send(this.library.url);
  }
}
