import * as m from '#words/messages.js';
import {
  BORROW_ACTIONS,
  type BorrowAction,
  type BorrowEvent,
  type Limit,
} from '#contracts/borrowing/borrow-events.js';
import type { CopyOfBook } from '#contracts/catalogue/copy-code.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import { DomainError } from '#contracts/domain-error.js';
import { localDay } from '#contracts/local-day.js';
import {
  fineDue,
  fold,
  laterOf,
  lentBooks,
  refundDue,
  reservedBooks,
  type Borrow,
  type ReaderBorrows,
} from './borrow-state.js';
import { numbersFor, type BorrowRules } from '../rules/borrow.policy.js';
import {
  allFeesPaid,
  beyond,
  booksOfBorrow,
  feeNotPaid,
  issuedBorrow,
  knownBorrow,
  mayBeLent,
  noDuplicateBook,
  noReadingRoomBook,
  notBlocked,
  owesFee,
  saidBeyond,
  withinBookLimit,
  withinDeskLimit,
  word,
  isOverdue,
  loanDaysOf,
  renewableFrom,
  renewalsOf,
  rentNotAbandoned,
  type AskedBeyond,
} from './borrow.rules.js';
import { borrowsToCharge, lateFee, type LateFee } from './late-fee.decider.js';
import { findBook, reportLoss, type FoundBook, type ReportedLoss } from './loss.decider.js';
import { endOfPeriod, isDayOver } from '../rules/period.js';
import { payRefund, recordPayment, takePayment, waive, type Refund, type Waiver } from './money.decider.js';
import { copiesOf, identifyCopies, rebind, type RebindCopies } from './scanned-copies.decider.js';
import { decidedBy } from '../rules/borrow.policy.js';
import { takeOver, type TakeOverLoan } from './take-over.decider.js';
import { abandonUndo, undo, type UndoCommand } from './undo.decider.js';

export interface RenewBorrow extends AskedBeyond {
  type: 'RenewBorrow';
  borrowId: string;
  renewedBy: string;
  /** The due date that it extends, an instant; the current one if it names none. */
  dueDate?: string;
  readerKind?: ReaderKind;
  /** It names neither a due date nor a key: soon after a renewal, it is taken for a repeat of that. */
  mayBeRepeat?: boolean;
  /** Titles of the borrow for which somebody waits, as far as was known beforehand. */
  waitedFor?: readonly string[];
  at: string;
}

/** What a librarian does with books of a borrow. `copies` are those of them whose labels were scanned. */
interface DeskCommand<Type extends string> extends AskedBeyond {
  type: Type;
  borrowId: string;
  bookIds: number[];
  copies?: CopyOfBook[];
  librarianId: string;
  readerKind?: ReaderKind;
  at: string;
}

/** A book that is asked for; of a kind that nobody has to name where it names none. */
export interface WantedBook {
  bookId: number;
  title: string;
  kind?: BookKind;
}

/** The commands on a reader's borrows. `at` is the instant of the command, ISO 8601 in UTC. */
export type BorrowCommand =
  | {
      type: 'RentBooks';
      borrowId: string;
      readerId: string;
      readerKind?: ReaderKind;
      books: WantedBook[];
      at: string;
    }
  | DeskCommand<'IssueBooks'>
  | RebindCopies
  /** Rents and issues at once: the reader stands at the desk with the books. */
  | (AskedBeyond & {
      type: 'LendBooks';
      borrowId: string;
      readerId: string;
      readerKind?: ReaderKind;
      books: WantedBook[];
      copies?: CopyOfBook[];
      librarianId: string;
      at: string;
    })
  | RenewBorrow
  | TakeOverLoan
  | { type: 'ExpireBorrow'; borrowId: string; at: string }
  | { type: 'ChargeFine'; borrowId: string; at: string }
  /** Charges every late borrow of the reader up to the instant. */
  | { type: 'ChargeLateFees'; at: string }
  | {
      type: 'RecordPayment';
      borrowId: string;
      amount: number;
      transactionId: string;
      provider: string;
      at: string;
    }
  /** A librarian took the payment at the desk, and saw what was due. */
  | { type: 'TakePayment'; borrowId: string; amount: number; due: number; transactionId: string; at: string }
  | DeskCommand<'ReturnBooks'>
  /** As `ReturnBooks`, whatever is owed: books that are brought are never refused. */
  | DeskCommand<'TakeBackBooks'>
  /** The reader, or a librarian for them, gives up what they have not collected. */
  | { type: 'CancelRent'; borrowId: string; cancelledBy: string; at: string }
  | ({ type: 'WaiveFee'; borrowId: string } & Waiver)
  | ({ type: 'ReportLoss'; borrowId: string } & ReportedLoss)
  | ({ type: 'FindBook'; borrowId: string } & FoundBook)
  | ({ type: 'PayRefund'; borrowId: string } & Refund)
  | UndoCommand
  /** Gives up an undoing of a return that broke off, of these books. */
  | { type: 'AbandonUndo'; borrowId: string; bookIds: number[]; at: string }
  | { type: 'AbandonRent'; borrowId: string; at: string };

/**
 * Decides the events of a command.
 * @returns the events to store; none if there is nothing to do
 * @throws DomainError of the rule that refuses the command
 */
export function decide(state: ReaderBorrows, command: BorrowCommand, rules: BorrowRules): BorrowEvent[] {
  // Each command goes to the rule under its own type, which the type of the table cannot say.
  const rule = RULES[command.type] as Rule<BorrowCommand>;
  return rule(state, command, rules);
}

type Rule<Command> = (state: ReaderBorrows, command: Command, rules: BorrowRules) => BorrowEvent[];

const RULES: { [Type in BorrowCommand['type']]: Rule<Of<Type>> } = {
  RentBooks: rent,
  IssueBooks: issue,
  LendBooks: lend,
  TakeOverLoan: takeOver,
  RebindCopies: (state, command) => rebind(knownBorrow(state, command.borrowId), command),
  RenewBorrow: renew,
  ExpireBorrow: expire,
  ChargeFine: charge,
  ChargeLateFees: chargeLateFees,
  RecordPayment: (state, command) =>
    recordPayment(knownBorrow(state, command.borrowId), command, command.provider),
  TakePayment: (state, command, rules) => takePayment(knownBorrow(state, command.borrowId), command, rules),
  ReturnBooks: returnBooks,
  TakeBackBooks: takeBack,
  CancelRent: cancel,
  WaiveFee: (state, command) =>
    waive(knownBorrow(state, command.borrowId), command, state.waivers.get(command.borrowId) ?? []),
  ReportLoss: lose,
  FindBook: (state, command) => findBook(knownBorrow(state, command.borrowId), command),
  PayRefund: (state, command) => payRefund(knownBorrow(state, command.borrowId), command),
  Undo: undo,
  AbandonUndo: (state, command) => abandonUndo(knownBorrow(state, command.borrowId), command),
  AbandonRent: abandon,
};

export const BORROW_COMMAND_TYPES = Object.keys(RULES) as BorrowCommand['type'][];

/** What of a borrow says which actions it allows. */
type Actionable = Pick<
  Borrow,
  'books' | 'status' | 'dueDate' | 'renewals' | 'charged' | 'paid' | 'waived'
> & { readerKind?: ReaderKind };

/** When each action is offered (specification, section 4, "Admin actions"; renewing and paying are the reader's). */
const OFFERED: Record<BorrowAction, (borrow: Actionable, at: string, rules: BorrowRules) => boolean> = {
  issue: (borrow) => borrow.status !== 'Not_Paid' && reservedBooks(borrow).length > 0,
  return: (borrow) =>
    (borrow.status === 'Issued' || borrow.status === 'Paid') && lentBooks(borrow).length > 0,
  renew: (borrow, at, rules) => isRenewable(borrow, at, rules) && !isRenewedBeyond(borrow, at, rules),
  'renew-beyond': (borrow, at, rules) => isRenewable(borrow, at, rules) && isRenewedBeyond(borrow, at, rules),
  pay: ({ status }) => status === 'Not_Paid',
  cancel: (borrow) => reservedBooks(borrow).length > 0,
  'take-back': (borrow) => lentBooks(borrow).length > 0,
  waive: (borrow) => fineDue(borrow) > 0,
  'mark-lost': (borrow) => lentBooks(borrow).length > 0,
  'mark-found': ({ books }) => books.some(({ loss }) => loss?.as === 'lost'),
  refund: (borrow) => refundDue(borrow) > 0,
};

/** But for the limits of the house. */
function isRenewable(borrow: Actionable, at: string, rules: BorrowRules): boolean {
  const { status, dueDate, readerKind } = borrow;
  return (
    status === 'Issued' &&
    lentBooks(borrow).length > 0 &&
    dueDate !== null &&
    !isOverdue(borrow, dueDate, at, rules) &&
    renewedUntil(borrow, dueDate, at, rules, readerKind) !== dueDate
  );
}

function isRenewedBeyond(borrow: Actionable, at: string, rules: BorrowRules): boolean {
  return (
    borrow.renewals >= renewalsOf(borrow, rules) ||
    renewableFrom(borrow, borrow.dueDate ?? at, rules) > localDay(at, rules.timeZone)
  );
}

/** The actions that a borrow allows at an instant, ISO 8601 in UTC. */
export function availableActions(borrow: Actionable, at: string, rules: BorrowRules): BorrowAction[] {
  return BORROW_ACTIONS.filter((action) => OFFERED[action](borrow, at, rules));
}

type Of<Type extends BorrowCommand['type']> = Extract<BorrowCommand, { type: Type }>;

function rent(state: ReaderBorrows, command: Of<'RentBooks'>, rules: BorrowRules): BorrowEvent[] {
  allFeesPaid(state, command.at, rules);
  const rented = rentWithoutLimit(state, command, rules);
  withinBookLimit(state, command.books.length, numbersFor(rules, command.readerKind));
  return rented;
}

function rentWithoutLimit(
  state: ReaderBorrows,
  command: Omit<Of<'RentBooks'>, 'type'>,
  rules: BorrowRules,
): BorrowEvent[] {
  const { borrowId, books } = command;
  rentNotAbandoned(state, borrowId);
  noReadingRoomBook(books, 'rented');
  noDuplicateBook(state, books);
  return [booksRented(command, rules)];
}

/** Of a rent that is allowed: the books wait at the desk for the days that the rules say. */
export function booksRented(
  { borrowId, readerId, readerKind, books, at }: Omit<Of<'RentBooks'>, 'type'>,
  rules: BorrowRules,
): Extract<BorrowEvent, { type: 'BooksRented' }> {
  const collectBy = endOfPeriod(at, numbersFor(rules, readerKind).collectDays, rules);
  return {
    type: 'BooksRented',
    data: { borrowId, readerId, books, rentedAt: at, collectBy, ...decidedBy(rules, readerKind) },
  };
}

/** The borrow is issued book by book, or at once: those named that wait at the desk. */
function issue(state: ReaderBorrows, command: Of<'IssueBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, readerKind, at } = command;
  const limits = notBlocked(command);
  const borrow = knownBorrow(state, borrowId);
  if (reservedBooks(borrow).length === 0) throw notRented(borrow, m.borrow_refused_not_rented_issued);
  const bookIds = booksOfBorrow(borrow, command.bookIds, reservedBooks(borrow));
  if (bookIds.length === 0) throw notRented(borrow, m.borrow_refused_not_rented_issued);
  if (owesFee(borrow, at, rules)) throw feeNotPaid();
  // A copy is kept for whoever waited, however many books they have by then.
  const have = [...state.unsettled.values()].reduce((sum, each) => sum + lentBooks(each).length, 0);
  limits.push(...withinDeskLimit(have, bookIds.length, numbersFor(rules, readerKind), command));
  return handOver(borrow, bookIds, command, rules, limits);
}

function handOver(
  borrow: Borrow,
  bookIds: number[],
  command: Omit<Of<'IssueBooks'>, 'type' | 'bookIds'>,
  rules: BorrowRules,
  limits: Limit[],
): BorrowEvent[] {
  const { borrowId, librarianId, readerKind, at } = command;
  // A borrow has one due day: what is handed over later moves it for what was handed over before.
  const lent = borrow.books.filter(({ bookId }) => bookIds.includes(bookId));
  const dueDate = laterOf(endOfPeriod(at, loanDaysOf(lent, rules, readerKind), rules), borrow.dueDate);
  const copies = copiesOf(bookIds, command);
  return [
    // A due day that moves takes the days that are late by the earlier one with it.
    ...chargedUpTo(borrow, at, rules),
    {
      type: 'BooksIssued',
      data: {
        borrowId,
        bookIds,
        copies,
        issuedBy: librarianId,
        issuedAt: at,
        dueDate,
        ...saidBeyond(limits, command),
        ...decidedBy(rules, readerKind),
      },
    },
  ];
}

/** Two events of one instant, which is how an undoing knows them (`undo.decider.ts`). */
function lend(state: ReaderBorrows, command: Of<'LendBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { books, borrowId, readerKind, at } = command;
  noReadingRoomBook(books, 'lent');
  const limits = mayBeLent(state, books, at, numbersFor(rules, readerKind), command);
  const rented = rentWithoutLimit(state, command, rules);
  const borrow = knownBorrow(fold(rented, state), borrowId);
  return [...rented, ...handOver(borrow, idsOf(books), command, rules, limits)];
}

function notRented(borrow: Borrow, words: (inputs: { status: string }) => string): DomainError {
  return new DomainError('BorrowNotRented', words({ status: word(borrow) }));
}

/** Until when a renewal of now lends the books: `loanDays` from today, never less than they had. */
function renewedUntil(
  borrow: Pick<Borrow, 'books'>,
  dueDate: string,
  at: string,
  rules: BorrowRules,
  reader?: ReaderKind,
): string {
  return laterOf(endOfPeriod(at, loanDaysOf(lentBooks(borrow), rules, reader), rules), dueDate);
}

function renew(state: ReaderBorrows, command: RenewBorrow, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, renewedBy, readerKind, at } = command;
  const borrow = knownBorrow(state, borrowId);
  if (renewalRepeated(state, command) !== undefined) return [];
  const dueDate = issuedBorrow(borrow);
  if (command.dueDate !== undefined && Date.parse(command.dueDate) !== Date.parse(dueDate)) {
    throw new DomainError('DueDateUnknown', m.borrow_refused_due_date_changed());
  }
  if (fineDue(borrow) > 0) throw feeNotPaid();
  if (isOverdue(borrow, dueDate, at, rules)) {
    throw new DomainError('BorrowOverdue', m.borrow_refused_overdue());
  }
  const [title] = command.waitedFor ?? [];
  if (title !== undefined) {
    throw new DomainError('SomebodyWaits', m.borrow_refused_waited_for({ title }));
  }
  const limits: Limit[] = [];
  const maxRenewals = renewalsOf(borrow, rules);
  if (borrow.renewals >= maxRenewals) {
    limits.push(...beyond('renewals', m.borrow_refused_renewals({ count: maxRenewals }), command));
  }
  const from = renewableFrom(borrow, dueDate, rules);
  if (localDay(at, rules.timeZone) < from) {
    limits.push(...beyond('early', m.borrow_refused_early({ day: from }), command));
  }
  const until = renewedUntil(borrow, dueDate, at, rules, readerKind);
  if (until === dueDate) {
    const day = localDay(dueDate, rules.timeZone);
    throw new DomainError('RenewalTooEarly', m.borrow_refused_no_gain({ day }));
  }
  const by = { ...saidBeyond(limits, command), ...decidedBy(rules, readerKind) };
  return [{ type: 'BorrowRenewed', data: { borrowId, renewedBy, renewedAt: at, dueDate: until, ...by } }];
}

/** Milliseconds after a renewal in which another that names nothing is a repeat of it. */
const REPEATED_WITHIN = 10 * 60_000;

/** Which renewal of its borrow a command repeats, counted from 0: each due date is extended once. */
export function renewalRepeated(
  { renewals }: ReaderBorrows,
  { borrowId, dueDate, mayBeRepeat, at }: RenewBorrow,
): number | undefined {
  const known = renewals.get(borrowId) ?? [];
  const index = known.findLastIndex(({ extended, renewedAt }) =>
    dueDate === undefined
      ? mayBeRepeat === true && Date.parse(at) - Date.parse(renewedAt) < REPEATED_WITHIN
      : extended !== null && Date.parse(extended) === Date.parse(dueDate),
  );
  return index < 0 ? undefined : index;
}

function expire(
  state: ReaderBorrows,
  { borrowId, at }: Of<'ExpireBorrow'>,
  rules: BorrowRules,
): BorrowEvent[] {
  const borrow = knownBorrow(state, borrowId);
  const waiting = reservedBooks(borrow);
  if (waiting.length === 0) throw notRented(borrow, m.borrow_refused_not_rented_expire);
  if (!isDayOver(borrow.collectBy, at, rules)) {
    throw new DomainError('CollectionStillPossible', m.borrow_refused_still_collectable());
  }
  return [{ type: 'BorrowExpired', data: { borrowId, bookIds: idsOf(waiting), expiredAt: at } }];
}

function cancel(state: ReaderBorrows, { borrowId, cancelledBy, at }: Of<'CancelRent'>): BorrowEvent[] {
  const borrow = knownBorrow(state, borrowId);
  const waiting = reservedBooks(borrow);
  if (waiting.length === 0) throw notRented(borrow, m.borrow_refused_not_rented_cancelled);
  return [
    { type: 'RentCancelled', data: { borrowId, bookIds: idsOf(waiting), cancelledBy, cancelledAt: at } },
  ];
}

function idsOf(books: readonly { bookId: number }[]): number[] {
  return books.map(({ bookId }) => bookId);
}

function charge(state: ReaderBorrows, { borrowId, at }: Of<'ChargeFine'>, rules: BorrowRules): BorrowEvent[] {
  const borrow = knownBorrow(state, borrowId);
  issuedBorrow(borrow);
  const fee = lateFee(borrow, at, rules);
  if (!fee) throw new DomainError('BorrowNotOverdue', m.borrow_refused_not_overdue());
  if (fee.uncharged <= 0) {
    throw new DomainError('NothingToCharge', m.borrow_refused_charged());
  }
  return [charged(borrowId, fee, at)];
}

function charged(borrowId: string, fee: LateFee, at: string): BorrowEvent {
  const { total, daysLate, calendar, uncharged, policyVersion } = fee;
  return {
    type: 'FineCharged',
    data: {
      borrowId,
      amount: uncharged,
      total,
      daysLate,
      reason: 'overdue',
      chargedAt: at,
      policyVersion,
      calendar,
    },
  };
}

function chargeLateFees(
  state: ReaderBorrows,
  { at }: Of<'ChargeLateFees'>,
  rules: BorrowRules,
): BorrowEvent[] {
  return borrowsToCharge(state, at, rules).flatMap(({ id }) =>
    charge(state, { type: 'ChargeFine', borrowId: id, at }, rules),
  );
}

/**
 * The borrow comes back book by book, or at once: those named that are with the reader. Days that no sweep has charged
 * yet refuse the return, as an unpaid fee does; they are charged with it where they are paid already.
 */
function returnBooks(state: ReaderBorrows, command: Of<'ReturnBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, librarianId, at } = command;
  const borrow = knownBorrow(state, borrowId);
  issuedBorrow(borrow);
  if (owesFee(borrow, at, rules)) throw feeNotPaid();
  const bookIds = lentAmong(borrow, command.bookIds);
  return [
    ...chargedUpTo(borrow, at, rules),
    ...identifyCopies(borrow, bookIds, command),
    { type: 'BooksReturned', data: { borrowId, bookIds, returnedTo: librarianId, returnedAt: at } },
  ];
}

/** The desk takes what is brought. A fee up to now is charged, is left to be paid, and grows no more for these books. */
function takeBack(state: ReaderBorrows, command: Of<'TakeBackBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, librarianId, at } = command;
  const borrow = knownBorrow(state, borrowId);
  issuedBorrow(borrow);
  const bookIds = lentAmong(borrow, command.bookIds);
  const end: BorrowEvent = owesFee(borrow, at, rules)
    ? { type: 'BooksTakenBack', data: { borrowId, bookIds, takenBackBy: librarianId, takenBackAt: at } }
    : { type: 'BooksReturned', data: { borrowId, bookIds, returnedTo: librarianId, returnedAt: at } };
  return [...chargedUpTo(borrow, at, rules), ...identifyCopies(borrow, bookIds, command), end];
}

/** The days late up to now are charged with it: they end for this book as if it had come back. */
function lose(state: ReaderBorrows, command: Of<'ReportLoss'>, rules: BorrowRules): BorrowEvent[] {
  const borrow = knownBorrow(state, command.borrowId);
  const lost = reportLoss(borrow, command, rules);
  return [...chargedUpTo(borrow, command.at, rules), lost];
}

function chargedUpTo(borrow: Borrow, at: string, rules: BorrowRules): BorrowEvent[] {
  const fee = lateFee(borrow, at, rules);
  return fee && fee.uncharged > 0 ? [charged(borrow.id, fee, at)] : [];
}

function lentAmong(borrow: Borrow, named: readonly number[]): number[] {
  const bookIds = booksOfBorrow(borrow, named, lentBooks(borrow));
  if (bookIds.length === 0) {
    throw new DomainError('BorrowNotIssued', m.borrow_refused_not_with_reader());
  }
  return bookIds;
}

function abandon(state: ReaderBorrows, { borrowId, at }: Of<'AbandonRent'>): BorrowEvent[] {
  if (state.borrows.has(borrowId) || state.abandoned.has(borrowId)) return [];
  return [{ type: 'RentAbandoned', data: { borrowId, abandonedAt: at } }];
}
