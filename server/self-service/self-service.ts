import { randomUUID } from 'node:crypto';
import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import type { OpenBorrow, ReaderStanding } from '#contracts/accounts/own-card.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { ScannedBook } from '#contracts/desk/scan.js';
import { DomainError } from '#contracts/domain-error.js';
import { isRefusalByRule, type ProblemCode } from '#contracts/problem.js';
import { BOOK_REFUSALS, type BookRefusal, type VisitRefusal } from '#contracts/self-service/refusal-texts.js';
import type { GivenBack, OwnBooks, Renewed, Taken } from '#contracts/self-service/self-service.js';
import { fineDue, type Borrow } from '#circulation/borrow/borrow-state.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { DATABASE } from '#platform/tokens.js';
import { CheckPin } from '../accounts/readers/card-pin.commands.js';
import { ChangeBorrow, RentBooks } from '../borrowing/borrow.commands.js';
import { HeldAfterReturn } from '../borrowing/holds/held-after-return.queries.js';
import { StandingOf } from '../borrowing/reader-standing.queries.js';
import { GetReplay } from '../borrowing/streams/reader-replays.queries.js';
import { EndVisit } from '../borrowing/visits.queries.js';
import { copiesOfLabels } from '../catalogue/copies/copy-codes.queries.js';
import { FindScannedBook } from '../catalogue/copies/scanned-book.queries.js';
import type { ActingDevice } from '../http/access.js';
import { correlationId } from '../http/correlation.js';
import { keyReused } from '../idempotency/refused-commands.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { borrowerOfCard, type Borrower } from './borrower.js';
import { Plans, type Plan } from './plans.js';

const pseudonymRow = z.object({ pseudonym: z.string() });

/**
 * What readers do by themselves at a device: the commands of the desk, with the device as the actor. Answers are codes; each device
 * says them in its own words. A repeat with the same key gets the first answer.
 */
@Injectable()
export class SelfService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly progress: ReadModelProgress,
    private readonly plans: Plans,
    private readonly clock: Clock,
  ) {}

  /**
   * The reader whose card was scanned, or why they cannot go on.
   * @param pin as it was typed, if it was; the device says whether it is asked for
   */
  async readerOf(device: ActingDevice, card: string, pin?: string): Promise<Borrower | VisitRefusal> {
    const reader = await borrowerOfCard(this.database, card);
    if (!reader) return 'CardUnknown';
    if (reader.isReplaced) return 'CardReplaced';
    if (reader.isBlocked) return 'CardBlocked';
    const { accountId } = reader;
    if (device.asksPin) {
      if (!pin) return 'PinNeeded';
      const checked = await this.commands
        .execute(new CheckPin({ accountId, deviceId: device.id, pin }))
        .catch((error: unknown) => {
          if (error instanceof DomainError && error.code === 'TooManyAttempts') return error.code;
          throw error;
        });
      if (checked === 'TooManyAttempts') return checked;
      if (checked !== 'right') return checked === 'none' ? 'PinNotSet' : 'PinWrong';
    }
    // The account stays from now on, though nobody confirmed its address: something of the reader's may begin.
    await this.database.query(
      'update account set version = 2 where id = $1 and version = 1 and not email_confirmed',
      [accountId],
    );
    return reader;
  }

  /** Whether a card has this number, whatever became of it. */
  async isCard(scan: string): Promise<boolean> {
    return (await borrowerOfCard(this.database, scan)) !== undefined;
  }

  /** What a reader has and may collect. */
  async booksOf({ pseudonym }: Borrower): Promise<OwnBooks> {
    const standing = await this.standingOf(pseudonym);
    const now = this.clock.now().getTime();
    const of = (state: 'lent' | 'reserved') =>
      standing.borrows.flatMap(({ borrow, renewal }) =>
        borrow.books.filter((book) => book.state === state).map((book) => ({ book, borrow, renewal })),
      );
    return {
      loans: of('lent').map(({ book: { bookId, title, copy }, borrow, renewal }) => {
        const dueDate = borrow.dueDate ?? borrow.rentDate;
        const renewableUntil = renewal && 'until' in renewal ? renewal.until : null;
        const isLate = Date.parse(dueDate) < now;
        return { borrowId: borrow.id, bookId, title, copy: copy ?? null, dueDate, isLate, renewableUntil };
      }),
      kept: of('reserved').map(({ book: { bookId, title }, borrow: { collectBy } }) => {
        return { bookId, title, collectBy };
      }),
      owes: standing.owes,
      books: standing.books,
      isBlocked: standing.block !== null,
    };
  }

  /**
   * Lends the copy whose label was scanned; one that is kept for the reader is collected.
   * @param isDone the reader has gone with it already: no limit holds, nor that somebody else waits for it
   */
  async take(
    device: ActingDevice,
    { accountId, pseudonym }: Borrower,
    code: string,
    key: string = randomUUID(),
    isDone = false,
  ): Promise<Taken> {
    const asked = `take ${pseudonym} ${code}`;
    const plan = await this.plans.made(device.id, key, asked, () =>
      this.planToLend(accountId, pseudonym, code, isDone),
    );
    if (plan.do === 'refuse') return refused(plan);
    if (plan.do !== 'lend') throw keyReused();
    const { readerId, title, bookId, copy } = plan;
    const beyond = isDone && { beyondLimit: 'other' as const };
    const by = { librarianId: device.id, copies: [{ bookId, copy }], ...beyond };
    return this.answered(title, async () => {
      const { borrowId } = await this.commands.execute(
        plan.borrowId === null
          ? new RentBooks({
              ...{ readerId, bookIds: [bookId], handedOver: { ...by, evenIfHeld: isDone } },
              context: contextOf(device, key, 'LendBooks', { readerId, ...by }),
            })
          : this.change(device, key, readerId, {
              ...{ type: 'IssueBooks', borrowId: plan.borrowId, bookIds: [bookId], ...by },
            }),
      );
      const { dueDate } = await this.borrow(readerId, borrowId);
      if (dueDate === null) throw new Error('A borrow that was issued has no due date.');
      return { outcome: 'lent', title, dueDate };
    });
  }

  /** Takes back the copy whose label was scanned, whoever brings it and whatever is owed. */
  async giveBack(device: ActingDevice, code: string, key: string = randomUUID()): Promise<GivenBack> {
    const plan = await this.plans.made(device.id, key, `give back ${code}`, () => this.planToTakeBack(code));
    if (plan.do === 'not-lent') return { outcome: 'not-lent', title: plan.title, isHeld: plan.isHeld };
    if (plan.do === 'refuse') return refused(plan);
    if (plan.do !== 'take-back') throw keyReused();
    const { readerId, borrowId, title, bookId, copy } = plan;
    return this.answered(title, async () => {
      const { position } = await this.commands.execute(
        this.change(device, key, readerId, {
          ...{ type: 'TakeBackBooks', borrowId, bookIds: [bookId], copies: [{ bookId, copy }] },
          librarianId: device.id,
        }),
      );
      const held = await this.queries.execute(new HeldAfterReturn({ borrowId, position, bookIds: [bookId] }));
      const isCharged = fineDue(await this.borrow(readerId, borrowId)) > 0;
      return { outcome: 'given-back', title, isHeld: held.length > 0, isCharged };
    });
  }

  /** Renews a loan of the reader, or, with null, each of them. */
  async renew(
    device: ActingDevice,
    { pseudonym }: Borrower,
    borrowId: string | null,
    key: string = randomUUID(),
  ): Promise<Renewed[]> {
    const { borrows } = await this.standingOf(pseudonym);
    const lent = borrows
      .filter((each) => isLent(each) && (borrowId ?? each.borrow.id) === each.borrow.id)
      // A renewal moves them among the others.
      .toSorted((one, other) => (one.borrow.id < other.borrow.id ? -1 : 1));
    if (borrowId !== null && lent.length === 0) {
      return [{ outcome: 'refused', borrowId, titles: [], why: 'BorrowNotIssued' }];
    }
    const renewed: Renewed[] = [];
    for (const { borrow } of lent) {
      const of = {
        borrowId: borrow.id,
        titles: borrow.books.filter(({ state }) => state === 'lent').map(({ title }) => title),
      };
      const change = { type: 'RenewBorrow', borrowId: borrow.id, renewedBy: device.id } as const;
      const answer = await this.answered('', async () => {
        await this.commands.execute(this.change(device, `${key} ${borrow.id}`, pseudonym, change));
        return {
          outcome: 'renewed' as const,
          dueDate: (await this.borrow(pseudonym, borrow.id)).dueDate ?? '',
        };
      });
      renewed.push(
        answer.outcome === 'renewed' ? { ...of, ...answer } : { ...of, outcome: 'refused', why: answer.why },
      );
    }
    return renewed;
  }

  /** The reader has gone: they are told by one letter what was done. */
  async end({ pseudonym }: Pick<Borrower, 'pseudonym'>): Promise<void> {
    await this.commands.execute(new EndVisit({ readerId: pseudonym }));
  }

  /**
   * The rows have all that is stored, by whichever process.
   * @throws DomainError AnswerTookTooLong where they have not in time: what is known would be from before
   */
  private async seeAll(): Promise<void> {
    if (await this.progress.current(await this.progress.newest())) return;
    throw new DomainError('AnswerTookTooLong', m.error_no_answer_in_time());
  }

  /** How a reader stands, by all that is stored. */
  async standingOf(readerId: string): Promise<ReaderStanding> {
    await this.seeAll();
    return this.queries.execute(new StandingOf({ readerId }));
  }

  private async planToLend(
    accountId: string,
    readerId: string,
    code: string,
    isDone: boolean,
  ): Promise<Plan> {
    const found = await this.scanned(code, accountId);
    if (!found) return { do: 'refuse', title: null, why: 'CopyNotFound' };
    const { book, copy, ofReader, keptFor, isKnown, of } = found;
    const why = ((): BookRefusal | undefined => {
      if (copy?.condition !== 'present') return 'CopyOutOfService';
      if (ofReader?.state === 'lent') return 'BookAlreadyBorrowed';
      if (book.kind === 'reading-room' && !ofReader) return 'ReadingRoomOnly';
      if (isKnown) return 'CopyNotOnShelf';
      if (isDone) return undefined;
      return keptFor?.isThisCopy && keptFor.borrowId !== ofReader?.borrowId ? 'CopyHeldForOther' : undefined;
    })();
    const { title } = book;
    return why
      ? { do: 'refuse', title, why }
      : { do: 'lend', readerId, borrowId: ofReader?.borrowId ?? null, title, ...of };
  }

  private async planToTakeBack(code: string): Promise<Plan> {
    const found = await this.scanned(code);
    if (!found) return { do: 'refuse', title: null, why: 'CopyNotFound' };
    const { book, copy, holders, lostBy, keptFor, of } = found;
    const { title } = book;
    const [holder, ...others] = holders;
    // Who brought it, the desk can find out; what is charged for a lost book, it takes back.
    if (others.length > 0 || copy?.condition === 'lost' || (!holder && lostBy.length > 0)) {
      return { do: 'refuse', title, why: 'AskStaff' };
    }
    if (!holder) return { do: 'not-lent', title, isHeld: keptFor?.isThisCopy ?? false };
    const text = 'select pseudonym from account where id = $1';
    const row = await queryRow(this.database, pseudonymRow, text, [holder.user.id]);
    const readerId = row?.pseudonym ?? holder.user.id;
    return { do: 'take-back', readerId, borrowId: holder.borrowId, title, ...of };
  }

  /** The copy with this label and how it stands with readers, by all that is stored. */
  async scanned(code: string, readerId?: string): Promise<(ScannedBook & { of: CopyOfBook }) | undefined> {
    await this.seeAll();
    const named = (await copiesOfLabels(this.database, [code])).get(code);
    if (!named) return undefined;
    try {
      return { ...(await this.queries.execute(new FindScannedBook({ named, readerId }))), of: named };
    } catch (error) {
      if (error instanceof DomainError && isRefusalByRule(error.code)) return undefined;
      throw error;
    }
  }

  private async borrow(readerId: string, borrowId: string): Promise<Borrow> {
    const replay = await this.queries.execute(new GetReplay({ pseudonym: readerId }));
    const found = replay.borrowAt(borrowId, replay.lastRevision);
    if (!found) throw new Error('A borrow that was changed is not in the log.');
    return found.borrow;
  }

  private change(
    device: ActingDevice,
    key: string,
    readerId: string,
    change: ChangeBorrow['change'],
  ): ChangeBorrow {
    const context = contextOf(device, key, change.type, { readerId, ...change });
    return new ChangeBorrow({ readerId, change, context });
  }

  /** What was done, or which rule refused it. */
  private async answered<Done>(
    title: string,
    act: () => Promise<Done>,
  ): Promise<Done | ReturnType<typeof refused>> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const why = SAID_AS[error.code] ?? BOOK_REFUSALS.find((each) => each === error.code);
      if (why === undefined && !isRefusalByRule(error.code)) throw error;
      return refused({ title, why: why ?? 'AskStaff' });
    }
  }
}

const SAID_AS: Partial<Record<ProblemCode, BookRefusal>> = {
  BookNotFound: 'CopyNotFound',
  TooManyBooks: 'LimitReached',
  BorrowNotRented: 'BookAlreadyBorrowed',
};

function refused({ title, why }: { title: string | null; why: BookRefusal }) {
  return { outcome: 'refused' as const, title, why };
}

const isLent = ({ borrow }: OpenBorrow) => borrow.books.some(({ state }) => state === 'lent');

export function contextOf({ id }: ActingDevice, key: string, type: string, asked: unknown) {
  return {
    actor: id,
    correlationId: correlationId(),
    isNamed: true,
    ...commandIdentity(key, id, type, asked),
  };
}
