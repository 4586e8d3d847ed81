import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import type { BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import type { MailboxMessage } from '../../embedded/mailbox/message.js';
import type { TestAccount, TestProduct } from '../product/product.js';
import type { TestClock } from '../test-clock.js';
import { waitFor } from '../wait-for.js';

/** Quick tries, for tests that wait for several. */
export const QUICK_LETTERS = { policies: { letters: { concurrency: 4, attempts: 4, firstRetryMs: 20 } } };

/** A borrow whose letters a test looks at. */
export interface WatchedBorrow {
  reader: TestAccount;
  email: string;
  bookIds: number[];
  borrowId: string;
}

/** A command without the borrow and the instant. */
type Change = BorrowCommand extends infer Command
  ? Command extends unknown
    ? Omit<Command, 'borrowId' | 'at'>
    : never
  : never;

/** What tests of letters do with a product. */
export class LetterOffice {
  constructor(
    private readonly product: TestProduct,
    private readonly clock: TestClock,
  ) {}

  async emailOf(account: { id: string }): Promise<string> {
    const { rows } = await this.product.database.query<{ email: string }>(
      'select email from account where id = $1',
      [account.id],
    );
    return rows[0]?.email ?? '';
  }

  async rent(titles = ['Solaris']): Promise<WatchedBorrow> {
    const reader = await this.product.account();
    const bookIds: number[] = [];
    for (const title of titles) bookIds.push(await this.product.book(1, title));
    const { body } = await reader.post('Borrow/rent-books', { bookIds });
    return {
      reader,
      email: await this.emailOf(reader),
      bookIds,
      borrowId: (body as { borrowId: string }).borrowId,
    };
  }

  /** Stores what a command decides, as the product's own handlers do. */
  async change({ reader, borrowId }: WatchedBorrow, change: Change): Promise<void> {
    const command = { borrowId, at: this.clock.now().toISOString(), ...change } as BorrowCommand;
    await this.product.change(reader.pseudonym, command);
  }

  /** Hands the books over, when the reader has their letter that they wait. */
  async issue(borrow: WatchedBorrow): Promise<void> {
    await this.settled();
    await this.change(borrow, { type: 'IssueBooks', bookIds: borrow.bookIds, librarianId: randomUUID() });
  }

  /** What an address was written, oldest first, once there is nothing more to come. */
  async letters(email: string): Promise<MailboxMessage[]> {
    await this.settled();
    return (await this.product.letters(email)).reverse();
  }

  async subjects(email: string): Promise<string[]> {
    return (await this.letters(email)).map(({ subject }) => subject);
  }

  /** Waits until every event is in the lists and was looked through, and every letter is sent or dropped: who is at the desk goes. */
  async settled(): Promise<void> {
    await waitFor(async () => {
      const end = await this.product.log.end();
      const row = await queryRow(
        this.product.database,
        z.object({ position: z.string(), open: z.int() }),
        `select least(commit_position, (select commit_position from ${READ_MODEL}.checkpoint))::text as position,
           (select count(*) from letters.letter where state in ('waiting', 'sending'))::integer
             + (select count(*) from outbox)::integer as open
         from letters.checkpoint`,
      );
      if (row?.position !== (end?.commit ?? -1n).toString()) return false;
      await this.endVisits();
      return row.open === 0;
    });
  }

  private async endVisits(): Promise<void> {
    const { rowCount } = await this.product.database.query(
      `update letters.letter set due_at = now()
       where kind = 'visit' and state = 'waiting' and claims = 0 and rounds = 0 and due_at > now()`,
    );
    if (rowCount) await this.product.database.query(`select pg_notify('lectern_letters', '')`);
  }
}
