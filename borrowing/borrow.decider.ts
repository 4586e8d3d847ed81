import { BORROW_ACTIONS, type BorrowAction, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { fineDue, isOpen, type Borrow, type ReaderBorrows } from './borrow-state.js';
import type { BorrowRules } from './borrow.policy.js';
import { borrowsToCharge, lateFee, owesUncharged } from './late-fee.decider.js';
import { endOfPeriod, isOver } from './period.js';
import { recordPayment, takePayment } from './payment.decider.js';

export interface RenewBorrow {
  type: 'RenewBorrow';
  borrowId: string;
  renewedBy: string;
  /** The due date that it extends, an instant; the current one if it names none. */
  dueDate?: string;
  /** It names neither a due date nor a key: soon after a renewal, it is taken for a repeat of that. */
  mayBeRepeat?: boolean;
  at: string;
}

/** The commands on a reader's borrows. `at` is the instant of the command, ISO 8601 in UTC. */
export type BorrowCommand =
  | {
      type: 'RentBooks';
      borrowId: string;
      readerId: string;
      books: { bookId: number; title: string }[];
      at: string;
    }
  | { type: 'IssueBooks'; borrowId: string; bookIds: number[]; librarianId: string; at: string }
  | RenewBorrow
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
  /** A librarian took the payment at the desk. */
  | { type: 'TakePayment'; borrowId: string; amount: number; transactionId: string; at: string }
  | { type: 'ReturnBooks'; borrowId: string; bookIds: number[]; librarianId: string; at: string }
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
  RenewBorrow: renew,
  ExpireBorrow: expire,
  ChargeFine: charge,
  ChargeLateFees: chargeLateFees,
  RecordPayment: (state, command) =>
    recordPayment(knownBorrow(state, command.borrowId), command, command.provider),
  TakePayment: (state, command, rules) => takePayment(knownBorrow(state, command.borrowId), command, rules),
  ReturnBooks: takeBack,
  AbandonRent: abandon,
};

export const BORROW_COMMAND_TYPES = Object.keys(RULES) as BorrowCommand['type'][];

/** What of a borrow says which actions it allows. */
type Actionable = Pick<Borrow, 'status' | 'dueDate' | 'renewals'>;

/** When each action is offered (specification, section 4, "Admin actions"; renewing and paying are the reader's). */
const OFFERED: Record<BorrowAction, (borrow: Actionable, at: string, rules: BorrowRules) => boolean> = {
  issue: ({ status }) => status === 'Rented',
  return: ({ status }) => status === 'Issued' || status === 'Paid',
  renew: ({ status, dueDate, renewals }, at, rules) =>
    status === 'Issued' && renewals < rules.maxRenewals && dueDate !== null && !isOver(dueDate, at, rules),
  pay: ({ status }) => status === 'Not_Paid',
};

/** The actions that a borrow allows at an instant, ISO 8601 in UTC. */
export function availableActions(borrow: Actionable, at: string, rules: BorrowRules): BorrowAction[] {
  return BORROW_ACTIONS.filter((action) => OFFERED[action](borrow, at, rules));
}

type Of<Type extends BorrowCommand['type']> = Extract<BorrowCommand, { type: Type }>;

function rent(state: ReaderBorrows, command: Of<'RentBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, readerId, books, at } = command;
  rentNotAbandoned(state, borrowId);
  allFeesPaid(state, at, rules);
  noBookTwice(state, books);
  withinBookLimit(state, books.length, rules);
  const collectBy = endOfPeriod(at, rules.collectDays, rules);
  return [{ type: 'BooksRented', data: { borrowId, readerId, books, rentedAt: at, collectBy } }];
}

function issue(state: ReaderBorrows, command: Of<'IssueBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, bookIds, librarianId, at } = command;
  const borrow = knownBorrow(state, borrowId);
  if (borrow.status !== 'Rented') {
    throw new DomainError(
      'BorrowNotRented',
      `Only a rented borrow can be issued; this one is ${word(borrow)}.`,
    );
  }
  sameBooks(borrow, bookIds);
  const dueDate = endOfPeriod(at, rules.loanDays, rules);
  return [{ type: 'BooksIssued', data: { borrowId, bookIds, issuedBy: librarianId, issuedAt: at, dueDate } }];
}

function renew(state: ReaderBorrows, command: RenewBorrow, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, renewedBy, at } = command;
  const borrow = knownBorrow(state, borrowId);
  if (renewalRepeated(state, command) !== undefined) return [];
  const dueDate = issuedBorrow(borrow);
  if (command.dueDate !== undefined && Date.parse(command.dueDate) !== Date.parse(dueDate)) {
    throw new DomainError(
      'DueDateUnknown',
      'These books were never due at the time named. Nothing was renewed: please look again.',
    );
  }
  if (fineDue(borrow) > 0) throw feeNotPaid();
  if (isOver(dueDate, at, rules)) {
    throw new DomainError(
      'BorrowOverdue',
      'These books are overdue and cannot be renewed. Please bring them back.',
    );
  }
  if (borrow.renewals >= rules.maxRenewals) {
    throw new DomainError(
      'RenewalsUsedUp',
      `A borrow can be renewed ${rules.maxRenewals} times, and this one has been.`,
    );
  }
  return [
    {
      type: 'BorrowRenewed',
      data: { borrowId, renewedBy, renewedAt: at, dueDate: endOfPeriod(dueDate, rules.loanDays, rules) },
    },
  ];
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
  if (borrow.status !== 'Rented') {
    throw new DomainError('BorrowNotRented', `Only a rented borrow can expire; this one is ${word(borrow)}.`);
  }
  if (!isOver(borrow.collectBy, at, rules)) {
    throw new DomainError('CollectionStillPossible', 'The reader can still collect these books.');
  }
  return [{ type: 'BorrowExpired', data: { borrowId, expiredAt: at } }];
}

function charge(state: ReaderBorrows, { borrowId, at }: Of<'ChargeFine'>, rules: BorrowRules): BorrowEvent[] {
  const borrow = knownBorrow(state, borrowId);
  issuedBorrow(borrow);
  const fee = lateFee(borrow, at, rules);
  if (!fee) throw new DomainError('BorrowNotOverdue', 'These books are not overdue.');
  const { total, daysLate, calendar, uncharged } = fee;
  if (uncharged <= 0) throw new DomainError('NothingToCharge', 'This borrow is already charged up to today.');
  return [
    {
      type: 'FineCharged',
      data: {
        borrowId,
        amount: uncharged,
        total,
        daysLate,
        reason: 'overdue',
        chargedAt: at,
        policyVersion: rules.version,
        calendar,
      },
    },
  ];
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

/** Days that no sweep has charged yet refuse the return, as an unpaid fee does. */
function takeBack(state: ReaderBorrows, command: Of<'ReturnBooks'>, rules: BorrowRules): BorrowEvent[] {
  const { borrowId, bookIds, librarianId, at } = command;
  const borrow = knownBorrow(state, borrowId);
  issuedBorrow(borrow);
  if (owesFee(borrow, at, rules)) throw feeNotPaid();
  sameBooks(borrow, bookIds);
  return [{ type: 'BooksReturned', data: { borrowId, bookIds, returnedTo: librarianId, returnedAt: at } }];
}

function abandon(state: ReaderBorrows, { borrowId, at }: Of<'AbandonRent'>): BorrowEvent[] {
  if (state.borrows.has(borrowId) || state.abandoned.has(borrowId)) return [];
  return [{ type: 'RentAbandoned', data: { borrowId, abandonedAt: at } }];
}

function rentNotAbandoned(state: ReaderBorrows, borrowId: string): void {
  if (state.abandoned.has(borrowId)) {
    throw new DomainError(
      'RentAbandoned',
      'This rent took too long and was given up. Nothing was rented: please try again.',
    );
  }
  if (state.borrows.has(borrowId)) {
    throw new DomainError('ConcurrentChange', 'This rent is already recorded.');
  }
}

function allFeesPaid(state: ReaderBorrows, at: string, rules: BorrowRules): void {
  for (const borrow of state.unsettled.values()) if (owesFee(borrow, at, rules)) throw feeNotPaid();
}

/** Charged and unpaid, or late and not charged yet. */
function owesFee(borrow: Borrow, at: string, rules: BorrowRules): boolean {
  return fineDue(borrow) > 0 || owesUncharged(borrow, at, rules);
}

function noBookTwice(state: ReaderBorrows, books: readonly { bookId: number; title: string }[]): void {
  const taken = new Set(openBooks(state));
  for (const { bookId, title } of books) {
    if (taken.has(bookId)) {
      throw new DomainError('BookAlreadyBorrowed', `You already have “${title}”.`);
    }
    taken.add(bookId);
  }
}

function withinBookLimit(state: ReaderBorrows, wanted: number, rules: BorrowRules): void {
  const open = openBooks(state).length;
  if (open + wanted > rules.maxBooksPerReader) {
    throw new DomainError(
      'TooManyBooks',
      `A reader may have ${rules.maxBooksPerReader} books at a time; you have ${open} and asked for ${wanted}.`,
    );
  }
}

function openBooks(state: ReaderBorrows): number[] {
  return [...state.unsettled.values()]
    .filter(isOpen)
    .flatMap(({ books }) => books.map(({ bookId }) => bookId));
}

function knownBorrow(state: ReaderBorrows, borrowId: string): Borrow {
  const borrow = state.borrows.get(borrowId);
  if (!borrow) throw new DomainError('BorrowNotFound', 'There is no such borrow of this reader.');
  return borrow;
}

/**
 * The due date of an issued borrow.
 * @throws DomainError BorrowNotIssued unless it is issued
 */
function issuedBorrow(borrow: Borrow): string {
  if (borrow.dueDate === null || !isOpen(borrow)) {
    throw new DomainError(
      'BorrowNotIssued',
      `These books are not with the reader; this borrow is ${word(borrow)}.`,
    );
  }
  return borrow.dueDate;
}

function sameBooks(borrow: Borrow, bookIds: readonly number[]): void {
  const asked = new Set(bookIds);
  const same = asked.size === borrow.books.length && borrow.books.every(({ bookId }) => asked.has(bookId));
  if (!same || asked.size !== bookIds.length) {
    throw new DomainError('BooksDoNotMatch', 'The books named are not the books of this borrow.');
  }
}

function feeNotPaid(): DomainError {
  return new DomainError('FeeNotPaid', 'Fee not paid');
}

function word(borrow: Borrow): string {
  return borrow.status === 'Not_Paid' ? 'not paid' : borrow.status.toLowerCase();
}
