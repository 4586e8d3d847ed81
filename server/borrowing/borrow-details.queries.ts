import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { z } from 'zod';
import { MAX_STEPS, type BorrowDetails, type BorrowStep } from '#contracts/borrowing/borrow-details.js';
import { askedBy } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { deviceNames } from '#platform/database/people.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { LibraryRules } from '#rules/library-rules.js';
import { DATABASE } from '#platform/tokens.js';
import type { ReplayedEvent } from '#circulation/borrow/borrow-replay.js';
import { lentBooks } from '#circulation/borrow/borrow-state.js';
import { lossCharge } from '#circulation/borrow/loss.decider.js';
import { rulesOfBook } from '#circulation/rules/borrow.policy.js';
import type { BorrowedBook } from '#contracts/borrowing/borrowed-book.js';
import { inFull } from './borrow-view.js';
import { BorrowsById } from './borrow.queries.js';
import { ReaderOfBorrow } from './past-borrows.queries.js';
import { ReaderReplays } from './streams/reader-replays.js';

const readerRow = z.object({ userName: z.string(), email: z.string() });
const actorRow = z.object({ pseudonym: z.string(), fullname: z.string() });

@Injectable()
export class BorrowDetailsQueries {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly replays: ReaderReplays,
    private readonly clock: Clock,
    private readonly rules: LibraryRules,
  ) {}

  /**
   * One borrow with its reader and everything that happened to it, for the desk.
   * @throws DomainError BorrowNotFound
   */
  async find(borrowId: string): Promise<BorrowDetails> {
    const pseudonym = await this.queries.execute(new ReaderOfBorrow({ borrowId }));
    const [[borrow], reader, replay] = await Promise.all([
      this.queries.execute(new BorrowsById({ borrowIds: [borrowId] })),
      queryRow(
        this.database,
        readerRow,
        'select username as "userName", email from account where pseudonym = $1',
        [pseudonym],
      ),
      this.replays.of(pseudonym),
    ]);
    if (!borrow) throw new DomainError('BorrowNotFound', m.borrow_not_found());
    const events = replay.events.filter(({ event }) => event?.data.borrowId === borrowId).slice(-MAX_STEPS);
    const [steps, lossCharges] = await Promise.all([
      this.stepsOf(events),
      this.lossCharges(replay.borrowAt(borrowId, replay.lastRevision)?.borrow.books ?? []),
    ]);
    return { borrow, reader: reader ?? null, steps, lossCharges };
  }

  /** What its books would cost, were they lost. */
  private async lossCharges(books: readonly BorrowedBook[]): Promise<BorrowDetails['lossCharges']> {
    const lent = new Map(lentBooks({ books }).map((book) => [book.bookId, book]));
    if (lent.size === 0) return [];
    const rules = this.rules.shownAt(this.clock.now().toISOString());
    const rows = await queryRows(
      this.database,
      z.object({ bookId: z.int(), price: z.int().nullable() }),
      'select id as "bookId", price from book where id = any($1::integer[]) order by id',
      [[...lent.keys()]],
    );
    return rows.flatMap(({ bookId, price }) => {
      const book = lent.get(bookId);
      return book ? { bookId, amount: lossCharge(price, rulesOfBook(book, rules)) / 100 } : [];
    });
  }

  private async stepsOf(events: readonly ReplayedEvent[]): Promise<BorrowStep[]> {
    const involved = events.flatMap(({ actor, event }) => [actor, (event && askedBy(event)) ?? actor]);
    const people = [...new Set(involved)].filter((each) => isUuid(each));
    const rows = await queryRows(
      this.database,
      actorRow,
      'select pseudonym, fullname from account where pseudonym = any($1::uuid[])',
      [people],
    );
    const names = await deviceNames(this.database, people);
    for (const { pseudonym, fullname } of rows) names.set(pseudonym, fullname);
    const nameOf = (pseudonym: string) => names.get(pseudonym) ?? m.account_removed();
    const namesOf = (actor: string, asker: string | undefined) =>
      asker === undefined
        ? nameOf(actor)
        : m.borrow_waiver_by_both({ name: nameOf(actor), asker: nameOf(asker) });
    return events.map(({ revision, type, event, actor, occurredAt }) => ({
      revision,
      type,
      at: new Date(occurredAt).toISOString(),
      by: isUuid(actor) ? namesOf(actor, event ? askedBy(event) : undefined) : actor,
      byPerson: isUuid(actor),
      amount: event && 'amount' in event.data ? event.data.amount / 100 : null,
      dueDate:
        event && 'dueDate' in event.data && event.data.dueDate !== null ? inFull(event.data.dueDate) : null,
      reason: event?.type === 'FeeWaived' ? event.data.reason : null,
      beyond: (event && 'beyond' in event.data && event.data.beyond) || null,
    }));
  }
}
