import { z } from 'zod';
import type { EventEntry, EventWords } from '../event-entry.js';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';

/**
 * The events of a borrow, one entry each: everything about an event is defined here, and whatever uses events (the
 * fold, rows, letters, the replay and its words) reads the entry. They carry ids, titles, amounts, times
 * and codes; never a name or an address. Times are ISO 8601 in UTC and came in with the command. Amounts are in grosze.
 * A change of shape is a new version with an upcaster, and a recorded sample (`platform/event-log/samples`).
 */
const time = z.iso.datetime();
const borrowId = z.uuid();
const grosze = z.int().min(0);
const bookIds = z.array(z.int()).min(1);
/** The number of a copy of its book, from 1. */
const copy = z.int().positive();
/** Of an event in the same stream. */
const revision = z.int().min(0);

/**
 * By which version of the rules it was decided, and for which kind of reader. Absent: by the default of its time, for the kind that
 * nobody has to name.
 */
const rules = {
  policyVersion: z.int().exactOptional(),
  readerKind: z.enum(READER_KINDS).exactOptional(),
};
/** Before it, an event did not name its rules. */
const withoutRules = (data: Record<string, unknown>) => data;

/** The letters that events cause. Those of the last six are sent only where they correct one that was sent. */
export type EventLetter =
  | 'books-rented'
  | 'books-issued'
  | 'borrow-expired'
  | 'fee-charged'
  | 'fee-paid'
  | 'loss-charged'
  | 'loss-found'
  | 'refund-paid'
  | 'rent-cancelled'
  | 'issue-undone'
  | 'payment-undone'
  | 'loss-undone'
  | 'finding-undone'
  | 'refund-undone';

/** Why a fee was waived. A reason in words is a note under the event's id, and never in the log. */
export const WAIVER_REASONS = ['goodwill', 'illness', 'library-error', 'hardship', 'other'] as const;
export type WaiverReason = (typeof WAIVER_REASONS)[number];

interface BorrowEventEntry<Data extends z.ZodObject> extends EventEntry<Data>, EventWords {
  /** The event's own time. */
  time: (data: z.infer<Data>) => string;
  /** The letter that the reader gets. */
  letter: EventLetter | null;
}

const event = <Data extends z.ZodObject>(entry: BorrowEventEntry<Data>) => entry;

/**
 * A book that the reader has is gone: its loan is over, and `amount` is charged for it, by the book's own `price` or, where that is
 * null, the one that the rules of `policyVersion` set. Its copy leaves the count by an event of its own.
 */
const loss = {
  data: z.object({
    borrowId,
    bookId: z.int(),
    price: grosze.nullable(),
    amount: grosze,
    policyVersion: z.int(),
    reportedBy: z.uuid(),
    reportedAt: time,
  }),
  time: ({ reportedAt }: { reportedAt: string }) => reportedAt,
};

export const BORROW_EVENTS = {
  /** The reader rented; the copies are held for him until `collectBy`. */
  BooksRented: event({
    version: 2,
    upcasters: [withoutRules],
    data: z.object({
      borrowId,
      readerId: z.uuid(),
      books: z
        .array(z.object({ bookId: z.int(), title: z.string(), kind: z.enum(BOOK_KINDS).exactOptional() }))
        .min(1),
      rentedAt: time,
      collectBy: time,
      ...rules,
    }),
    time: ({ rentedAt }) => rentedAt,
    word: 'Rented',
    mark: 'rented',
    letter: 'books-rented',
  }),
  /**
   * A librarian handed books of the borrow over; all that are with the reader are due on `dueDate` from then on. `copies` are
   * those whose labels were scanned, each of one of the books: which copy of another book it was, nobody saw.
   */
  BooksIssued: event({
    version: 3,
    // Version 1 knew titles alone.
    upcasters: [(data) => ({ ...data, copies: [] }), withoutRules],
    data: z.object({
      borrowId,
      bookIds,
      copies: z.array(z.object({ bookId: z.int(), copy })),
      issuedBy: z.uuid(),
      issuedAt: time,
      dueDate: time,
      ...rules,
    }),
    time: ({ issuedAt }) => issuedAt,
    word: 'Issued',
    mark: 'issued',
    letter: 'books-issued',
  }),
  /** A scan showed which copy of a book is with the reader: it was issued by its title alone, or as another copy. */
  CopyRebound: event({
    version: 1,
    data: z.object({ borrowId, bookId: z.int(), copy, reboundBy: z.uuid(), reboundAt: time }),
    time: ({ reboundAt }) => reboundAt,
    word: 'Copy identified',
    mark: 'moved',
    letter: null,
  }),
  BorrowRenewed: event({
    version: 2,
    upcasters: [withoutRules],
    data: z.object({ borrowId, renewedBy: z.uuid(), renewedAt: time, dueDate: time, ...rules }),
    time: ({ renewedAt }) => renewedAt,
    word: 'Renewed',
    mark: 'renewed',
    letter: null,
  }),
  /** Rented and never collected: the copies went back. `bookIds` are those that still waited; null stands for all. */
  BorrowExpired: event({
    version: 2,
    // Version 1 knew no parts: all books waited.
    upcasters: [(data) => ({ ...data, bookIds: null })],
    data: z.object({ borrowId, bookIds: bookIds.nullable(), expiredAt: time }),
    time: ({ expiredAt }) => expiredAt,
    word: 'Expired',
    mark: 'expired',
    letter: 'borrow-expired',
  }),
  /** The reader, or a librarian for him, gave up what he had not collected: the copies went back. */
  RentCancelled: event({
    version: 1,
    data: z.object({ borrowId, bookIds, cancelledBy: z.uuid(), cancelledAt: time }),
    time: ({ cancelledAt }) => cancelledAt,
    word: 'Rent cancelled',
    mark: 'expired',
    letter: 'rent-cancelled',
  }),
  /** `amount` of this charge, `total` of all charges of the borrow so far, both in grosze. */
  FineCharged: event({
    version: 2,
    // Version 1 knew no calendar: it counted from 24 hours to 24 hours.
    upcasters: [(data) => ({ ...data, calendar: null })],
    data: z.object({
      borrowId,
      amount: grosze,
      total: grosze,
      daysLate: z.int().min(1),
      reason: z.enum(['overdue']),
      chargedAt: time,
      policyVersion: z.int(),
      /** The days between which `daysLate` was counted, and by whose midnights; null where hours were counted. */
      calendar: z.object({ timeZone: z.string(), dueDay: z.iso.date(), chargedDay: z.iso.date() }).nullable(),
    }),
    time: ({ chargedAt }) => chargedAt,
    word: 'Fee charged',
    mark: 'charged',
    letter: 'fee-charged',
  }),
  FinePaid: event({
    version: 1,
    data: z.object({
      borrowId,
      amount: grosze,
      transactionId: z.string(),
      provider: z.string(),
      paidAt: time,
    }),
    time: ({ paidAt }) => paidAt,
    word: 'Fee paid',
    mark: 'paid',
    letter: 'fee-paid',
  }),
  /** A librarian waived a fee, in part or whole: `amount` of it need not be paid. */
  FeeWaived: event({
    version: 1,
    data: z.object({
      borrowId,
      amount: grosze,
      reason: z.enum(WAIVER_REASONS),
      waivedBy: z.uuid(),
      waivedAt: time,
    }),
    time: ({ waivedAt }) => waivedAt,
    word: 'Fee waived',
    mark: 'waived',
    letter: null,
  }),
  BooksReturned: event({
    version: 1,
    data: z.object({ borrowId, bookIds, returnedTo: z.uuid(), returnedAt: time }),
    time: ({ returnedAt }) => returnedAt,
    word: 'Returned',
    mark: 'returned',
    letter: null,
  }),
  /** Books were taken back at the desk while a fee was owed: their copies are free, the fee is still to be paid. */
  BooksTakenBack: event({
    version: 1,
    data: z.object({ borrowId, bookIds, takenBackBy: z.uuid(), takenBackAt: time }),
    time: ({ takenBackAt }) => takenBackAt,
    word: 'Taken back, fee unpaid',
    mark: 'returned',
    letter: null,
  }),
  /** The reader has lost the book. */
  BookLost: event({ version: 1, ...loss, word: 'Lost', mark: 'gone', letter: 'loss-charged' }),
  /** The book came back and can be lent no more. */
  BookDamaged: event({ version: 1, ...loss, word: 'Damaged', mark: 'gone', letter: 'loss-charged' }),
  /** A lost book turned up: its charge, `amount`, is taken back. What was paid of it is owed to the reader until `RefundPaid`. */
  LostBookFound: event({
    version: 1,
    data: z.object({ borrowId, bookId: z.int(), amount: grosze, foundBy: z.uuid(), foundAt: time }),
    time: ({ foundAt }) => foundAt,
    word: 'Found again',
    mark: 'arrived',
    letter: 'loss-found',
  }),
  /** That the book was found, said at `revision`, was undone: it is lost as before, and its charge, `amount`, is due again. */
  FindingUndone: event({
    version: 1,
    data: z.object({
      borrowId,
      revision,
      bookId: z.int(),
      amount: grosze,
      undoneBy: z.uuid(),
      undoneAt: time,
    }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Finding undone',
    mark: 'undone',
    letter: 'finding-undone',
  }),
  /** What the reader had paid for a book that was found was handed back to him, at the desk. */
  RefundPaid: event({
    version: 1,
    data: z.object({
      borrowId,
      amount: grosze,
      transactionId: z.string(),
      provider: z.string(),
      paidBy: z.uuid(),
      paidAt: time,
    }),
    time: ({ paidAt }) => paidAt,
    word: 'Money given back',
    mark: 'paid',
    letter: 'refund-paid',
  }),
  /** That the book is lost or damaged, said at `revision`, was undone: the reader has it, and its charge is taken back. */
  LossUndone: event({
    version: 1,
    data: z.object({
      borrowId,
      revision,
      bookId: z.int(),
      amount: grosze,
      undoneBy: z.uuid(),
      undoneAt: time,
    }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Loss undone',
    mark: 'undone',
    letter: 'loss-undone',
  }),
  /** The issue at `revision` of this stream was undone: the books wait at the desk again, the others are due as before. */
  IssueUndone: event({
    version: 1,
    data: z.object({
      borrowId,
      revision,
      bookIds,
      dueDate: time.nullable(),
      undoneBy: z.uuid(),
      undoneAt: time,
    }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Issue undone',
    mark: 'undone',
    letter: 'issue-undone',
  }),
  /** The return at `revision` was undone: the reader has the books. Their copies were allocated again before. */
  ReturnUndone: event({
    version: 1,
    data: z.object({ borrowId, revision, bookIds, undoneBy: z.uuid(), undoneAt: time }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Return undone',
    mark: 'undone',
    letter: null,
  }),
  /** The waiver at `revision` was undone: its amount is due again. */
  WaiverUndone: event({
    version: 1,
    data: z.object({ borrowId, revision, amount: grosze, undoneBy: z.uuid(), undoneAt: time }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Waiver undone',
    mark: 'undone',
    letter: null,
  }),
  /** The payment at the desk at `revision` was undone: the money was handed back, its amount is due again. */
  PaymentUndone: event({
    version: 1,
    data: z.object({
      borrowId,
      revision,
      amount: grosze,
      transactionId: z.string(),
      undoneBy: z.uuid(),
      undoneAt: time,
    }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Payment undone',
    mark: 'undone',
    letter: 'payment-undone',
  }),
  /** The giving back of money at `revision` was undone: the money is in the till, and owed to the reader as before. */
  RefundUndone: event({
    version: 1,
    data: z.object({
      borrowId,
      revision,
      amount: grosze,
      transactionId: z.string(),
      undoneBy: z.uuid(),
      undoneAt: time,
    }),
    time: ({ undoneAt }) => undoneAt,
    word: 'Giving back undone',
    mark: 'undone',
    letter: 'refund-undone',
  }),
  /** The fence of undoing a return: it was given up before `ReturnUndone` was stored, and never can be for these books. */
  UndoAbandoned: event({
    version: 1,
    data: z.object({ borrowId, bookIds, abandonedAt: time }),
    time: ({ abandonedAt }) => abandonedAt,
    word: 'Undoing given up',
    mark: 'undone',
    letter: null,
  }),
  /** The fence of the copy protocol: this rent was given up before `BooksRented` was stored, and never can be. */
  RentAbandoned: event({
    version: 1,
    data: z.object({ borrowId, abandonedAt: time }),
    time: ({ abandonedAt }) => abandonedAt,
    word: 'Rent given up',
    mark: 'undone',
    letter: null,
  }),
};

/** What a person may do next with a borrow; `circulation/borrow/borrow.decider` says when. The API lists them in this order. */
export const BORROW_ACTIONS = [
  'issue',
  'return',
  'renew',
  'pay',
  'cancel',
  'take-back',
  'waive',
  'mark-lost',
  'mark-found',
  'refund',
] as const;
export type BorrowAction = (typeof BORROW_ACTIONS)[number];

/** The `provider` of money that was handed over at the desk. The event's actor is the librarian who has it. */
export const DESK = 'desk';

export type BorrowEventType = keyof typeof BORROW_EVENTS;

type DataOf = { [Type in BorrowEventType]: z.infer<(typeof BORROW_EVENTS)[Type]['data']> };

/** An event of the borrow domain: its type and its data. */
export type BorrowEvent<Type extends BorrowEventType = BorrowEventType> = {
  [Each in Type]: { type: Each; data: DataOf[Each] };
}[Type];

/** The types, in the order of a borrow's life. */
export const BORROW_EVENT_TYPES = Object.keys(BORROW_EVENTS) as [BorrowEventType, ...BorrowEventType[]];

export function isBorrowEventType(type: string): type is BorrowEventType {
  return Object.hasOwn(BORROW_EVENTS, type);
}

const TIMES: { [Type in BorrowEventType]: { time: (data: DataOf[Type]) => string } } = BORROW_EVENTS;

/** The event's own time, ISO 8601 in UTC. */
export function borrowEventTime<Type extends BorrowEventType>({ type, data }: BorrowEvent<Type>): string {
  return TIMES[type].time(data);
}

export const BORROW_STREAM_PREFIX = 'borrows-';

/** The stream that holds every borrow event of a reader. */
export function borrowStream(readerId: string): string {
  return `${BORROW_STREAM_PREFIX}${readerId}`;
}
