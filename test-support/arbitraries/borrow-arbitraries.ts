import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { BORROW_COMMAND_TYPES, decide, type BorrowCommand } from '#circulation/borrow/borrow.decider.js';
import {
  NO_BORROWS,
  evolve,
  fineDue,
  refundDue,
  type ReaderBorrows,
} from '#circulation/borrow/borrow-state.js';
import { borrowRules, type BorrowRules } from '#circulation/rules/borrow.policy.js';

const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const BORROWS = [1, 2, 3].map((n) => `0b54c0de-7f2a-4d0e-9d5e-00000000000${n}`);
/** Of a library whose days are not those of UTC, and have 23 to 25 hours. */
export const RULES = borrowRules('Europe/Warsaw');
export const START = Date.parse('2026-11-01T09:00:00.000Z');

/** Tried so many times as often as the others, so that borrows get far. */
const OFTEN: Partial<Record<BorrowCommand['type'], number>> = {
  RentBooks: 3,
  IssueBooks: 4,
  ReturnBooks: 2,
  ChargeFine: 5,
  RecordPayment: 2,
  TakePayment: 6,
  WaiveFee: 2,
  ReportLoss: 2,
  FindBook: 3,
  PayRefund: 3,
  Undo: 6,
};

/** What somebody tries, `hours` after the try before. Books and amounts are often the right ones. */
export interface Attempt {
  type: BorrowCommand['type'];
  borrow: number;
  books: number[];
  rightBooks: boolean;
  amount: number;
  hours: number;
  /** Whether it is for the whole borrow: books, and all that is due. */
  whole: boolean;
}

/** A lost book is paid for and found, which chance alone seldom comes to. */
const FOUND: readonly Attempt[] = (
  ['RentBooks', 'IssueBooks', 'ReportLoss', 'RecordPayment', 'FindBook'] as const
).map((type) => ({
  type,
  borrow: 0,
  books: [1, 2],
  rightBooks: true,
  amount: 400,
  hours: 0.02,
  whole: true,
}));

const anything: fc.Arbitrary<Attempt[]> = fc.array(
  fc.record({
    type: fc.constantFrom(
      ...BORROW_COMMAND_TYPES.flatMap((type) => Array.from({ length: OFTEN[type] ?? 1 }, () => type)),
    ),
    borrow: fc.nat(BORROWS.length - 1),
    books: fc.uniqueArray(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 4 }),
    rightBooks: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
    amount: fc.constantFrom(25, 50, 100, 400, 5000),
    hours: fc.oneof(
      { arbitrary: fc.constantFrom(0, 0.02, 0.1), weight: 4 },
      { arbitrary: fc.integer({ min: 0, max: 30 }), weight: 1 },
      { arbitrary: fc.integer({ min: 0, max: 500 }), weight: 1 },
    ),
    whole: fc.boolean(),
  }),
  { maxLength: 80, size: 'max' },
);

/** A sequence of tries by one reader and their librarians, most of them sensible. */
export const attempts: fc.Arbitrary<Attempt[]> = fc.oneof(
  { arbitrary: anything, weight: 3 },
  { arbitrary: anything.map((tries) => [...FOUND, ...tries]), weight: 1 },
);

/** What a sequence of tries came to. */
export interface History {
  events: BorrowEvent[];
  state: ReaderBorrows;
  refusals: number;
}

/**
 * Plays the tries against the decider.
 * @param rulesOf in force at a try
 * @param asked what is asked in place of a command
 */
export function play(
  readerId: string,
  tries: readonly Attempt[],
  borrowIds: readonly string[] = BORROWS,
  rulesOf: (turn: number, at: string) => BorrowRules = () => RULES,
  asked: (command: BorrowCommand, turn: number) => BorrowCommand = (command) => command,
): History {
  let state = NO_BORROWS;
  let now = START;
  const history: History = { events: [], state, refusals: 0 };
  for (const [turn, attempt] of tries.entries()) {
    now += attempt.hours * 3_600_000;
    const at = new Date(now).toISOString();
    try {
      const command = commandOf(readerId, attempt, borrowIds[attempt.borrow] ?? '', state, at);
      const events = decide(state, asked(command, turn), rulesOf(turn, at));
      for (const event of events) state = evolve(state, event);
      history.events.push(...events);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      history.refusals += 1;
    }
  }
  history.state = state;
  return history;
}

/** A command takes what it knows of all that may be said: only one that asks for something new is to be added to. */
function commandOf(
  readerId: string,
  { type: tried, ...attempt }: Attempt,
  borrowId: string,
  state: ReaderBorrows,
  at: string,
): BorrowCommand {
  const borrow = state.borrows.get(borrowId);
  // Nobody pays where money is owed to them.
  const pays = tried === 'RecordPayment' || tried === 'TakePayment';
  const type = pays && borrow && refundDue(borrow) > 0 ? 'PayRefund' : tried;
  const lost = type === 'FindBook' ? borrow?.books.find(({ loss }) => loss?.as === 'lost') : undefined;
  const known = borrow?.books.map(({ bookId }) => bookId) ?? [];
  const owed = borrow && (type === 'PayRefund' ? refundDue(borrow) : fineDue(borrow));
  const due = attempt.whole ? (owed ?? 0) : 0;
  return {
    type,
    borrowId,
    readerId,
    books: attempt.books.map((bookId) => ({ bookId, title: `Book ${bookId}` })),
    book: { bookId: attempt.books[0] ?? 1, title: `Book ${attempt.books[0] ?? 1}` },
    copy: 1,
    // Around now: late before it is taken over, and not.
    statedDue: new Date(Date.parse(at) + (attempt.amount - 100) * 3_600_000).toISOString().slice(0, 10),
    lentOn: attempt.whole ? at.slice(0, 8).concat('01') : null,
    renewals: attempt.borrow,
    countsEarlierDays: attempt.rightBooks,
    bookIds: !attempt.rightBooks
      ? attempt.books
      : attempt.whole
        ? known
        : known.slice(0, attempt.books.length),
    // Of some of the books that the borrow has, and of one that it may not have.
    copies: [...known, ...attempt.books]
      .slice(0, attempt.books.length - 1)
      .map((bookId) => ({ bookId, copy: 1 + ((attempt.amount + bookId) % 3) })),
    librarianId: LIBRARIAN,
    upTo: null,
    renewedBy: readerId,
    amount: due > 0 ? due : attempt.amount,
    // Half of them pay a part of what they see, the others see something else.
    due: attempt.rightBooks ? (owed ?? 0) : attempt.amount,
    cancelledBy: readerId,
    reason: 'goodwill',
    bookId: lost?.bookId ?? known[attempt.books.length % Math.max(known.length, 1)] ?? 1,
    as: attempt.whole ? 'lost' : 'damaged',
    price: attempt.amount === 25 ? null : attempt.amount,
    foundBy: LIBRARIAN,
    revision: borrow?.recent.at(-(attempt.books.length % 2) - 1)?.revision ?? 0,
    transactionId: 't',
    provider: 'sandbox',
    at,
  };
}
