import * as m from '#words/messages.js';
import { z } from 'zod';
import type { ProblemCode } from '../problem.js';
import type { EventEntry, EventLabels } from '../event-entry.js';
import { BOOK_KINDS, READER_KINDS } from '../rules/kinds.js';

/**
 * The events of a borrow, one entry each: everything about an event is defined here, and whatever uses events (the
 * fold, rows, letters, the replay and its words) reads the entry. They carry ids, titles, amounts, times
 * and codes; never a name or an address. Times are ISO 8601 in UTC and came in with the command. Amounts are in grosze.
 * A change of shape is a new version with an upcaster (`platform/event-log/upcast`).
 */
const time = z.iso.datetime();
const borrowId = z.uuid();
const grosze = z.int().min(0);
const bookIds = z.array(z.int()).min(1);
/** The number of a copy of its book, from 1. */
const copy = z.int().positive();
/** Of an event in the same stream. */
const revision = z.int().min(0);

/** By which version of the rules it was decided, and for which kind of reader. Absent: for the kind that nobody has to name. */
const rules = {
  policyVersion: z.int(),
  readerKind: z.enum(READER_KINDS).exactOptional(),
};

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

/** What a librarian may go beyond with a reason, and what it is refused with without one: limits of the house, never facts. */
export const LIMITS = {
  books: 'LimitReached',
  fee: 'FeeNotPaid',
  block: 'ReaderBlocked',
  renewals: 'RenewalsUsedUp',
  early: 'RenewalTooEarly',
} as const satisfies Record<string, ProblemCode>;
export type Limit = keyof typeof LIMITS;

/** Of each of them by what is done. */
export const LIMITS_OF = {
  lend: ['books', 'fee', 'block'],
  issue: ['books', 'block'],
  renew: ['renewals', 'early'],
} as const satisfies Record<string, readonly Limit[]>;

/** Why a librarian went beyond a limit. */
export const LIMIT_REASONS = ['study', 'class', 'goodwill', 'library-error', 'other'] as const;
export type LimitReason = (typeof LIMIT_REASONS)[number];

export const beyondSchema = z.object({
  limits: z
    .array(z.enum(Object.keys(LIMITS) as [Limit, ...Limit[]]))
    .min(1)
    .max(Object.keys(LIMITS).length),
  reason: z.enum(LIMIT_REASONS),
});
export type Beyond = z.infer<typeof beyondSchema>;

/** The limits that whoever did it went beyond, where there are any. */
const beyond = beyondSchema.exactOptional();

/** What can be undone. */
export const UNDOABLE = [
  'issue',
  'return',
  'take-back',
  'waiver',
  'payment',
  'loss',
  'finding',
  'refund',
  /** What this release does not know; a server never says so. */
  'other',
] as const;
export type Undoable = (typeof UNDOABLE)[number];

/** The `provider` of money that was handed over at the desk. The event's actor is the librarian who has it. */
export const DESK = 'desk';
/** Who did it is the event's actor, a librarian. */
const ACTOR = 'actor';

/** What becomes of the copies of a borrow's books; `all` stands for every book of it. */
export type CopyEffect =
  /** They are lent, or reserved for good; with `names`, it is known which copies they are. */
  | { takes: readonly number[] | 'all'; names?: readonly { bookId: number; copy: number }[] }
  /** They return to the shelf. */
  | { frees: readonly number[] | 'all' }
  /** It is known which copy it is; null: no longer. */
  | { names: readonly { bookId: number; copy: number | null }[] }
  /** The copy leaves the count, or is in it again. */
  | { loss: 'lost' | 'damaged' | 'found' | 'lost again' | 'undone'; bookId: number };

/** What it takes to undo an event. */
interface KeptForUndo {
  /** The books that it is about, of an issue, a return, a loss or a finding. */
  bookIds?: readonly number[];
  /** grosze, of a waiver, a loss, a finding, or of money that changed hands at the desk */
  amount?: number;
  /** Of money that changed hands at the desk. */
  transactionId?: string;
}

type MoneyEffect = 'charged' | 'paid' | 'waived' | 'refunded' | 'lost' | 'taken-back' | 'undone';

/** All that is known of an event. Whatever lists events elsewhere follows from this, or does not compile without the new one. */
interface BorrowEventEntry<
  Data extends z.ZodObject,
  Money extends MoneyEffect | null,
  Recent extends ((data: z.infer<Data>) => KeptForUndo) | null,
  Simulated extends boolean,
>
  extends EventEntry<Data>, EventLabels {
  /** The event's own time. */
  time: (data: z.infer<Data>) => string;
  /** The letter that the reader gets. */
  letter: EventLetter | null;
  /**
   * Whether staff did it with the reader at the desk: then it is told by the letter of their visit, and by none of its own. Absent: never.
   * @param reader the pseudonym of the reader
   * @param actor of the event
   */
  visit?: (data: z.infer<Data>, reader: string, actor: string) => boolean;
  /** Whose doing it was, by pseudonym; `ACTOR` where the event does not repeat it, null for a job and for money paid online. */
  by: (data: z.infer<Data>) => string | null;
  /** Where it stands in the life of its borrow; a fence comes in place of a borrow. */
  life: 'begins' | 'goes-on' | 'may-follow-the-end' | 'fence';
  copies: (data: z.infer<Data>) => CopyEffect | null;
  /** What it does to the fee. */
  money: Money;
  /** What becomes of the reader's hold: of one that its rent came of, or that waits for the same book. */
  hold: 'has-the-book' | 'collected' | 'lapsed' | 'cancelled' | null;
  /** What is kept of it for the minutes in which it can be undone, or is in the way of undoing another; null: nothing. */
  recent: Recent;
  /** As what it can be undone; `circulation/borrow/undo.decider` says by which event, and when. */
  undo: Exclude<Undoable, 'other'> | null;
  /** Whether a person may give a reason in words, as a note under the event's id. Absent: no. */
  noted?: boolean;
  /** Whether something is to be computed for it in a simulation of other rules. Absent: it is. */
  simulated?: Simulated;
}

const event = <
  Data extends z.ZodObject,
  Money extends MoneyEffect | null,
  Recent extends ((data: z.infer<Data>) => KeptForUndo) | null,
  const Simulated extends boolean = true,
>(
  entry: BorrowEventEntry<Data, Money, Recent, Simulated>,
) => ({
  noted: false,
  simulated: true as Simulated,
  ...entry,
});

const AT_DESK = () => true;
const NO_COPIES = () => null;
const BY_JOB = () => null;

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
  letter: 'loss-charged',
  visit: AT_DESK,
  by: ({ reportedBy }: { reportedBy: string }) => reportedBy,
  life: 'goes-on',
  money: 'lost',
  hold: null,
  recent: ({ bookId, amount }: { bookId: number; amount: number }) => ({ bookIds: [bookId], amount }),
  undo: 'loss',
} as const;

/** A librarian takes back what was done at the desk. */
const undoing = {
  time: ({ undoneAt }: { undoneAt: string }) => undoneAt,
  icon: 'undone',
  visit: AT_DESK,
  by: ({ undoneBy }: { undoneBy: string }) => undoneBy,
} as const;

export const BORROW_EVENTS = {
  /** The reader rented; the copies are held for them until `collectBy`. */
  BooksRented: event({
    version: 1,
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
    label: m.event_books_rented,
    icon: 'rented',
    letter: 'books-rented',
    by: ({ readerId }) => readerId,
    life: 'begins',
    copies: () => ({ takes: 'all' }),
    hold: 'has-the-book',
    money: null,
    undo: null,
    recent: null,
  }),
  /**
   * A librarian handed books of the borrow over; all that are with the reader are due on `dueDate` from then on. `copies` are
   * those whose labels were scanned, each of one of the books: which copy of another book it was, nobody saw.
   */
  BooksIssued: event({
    version: 1,
    data: z.object({
      borrowId,
      bookIds,
      copies: z.array(z.object({ bookId: z.int(), copy })),
      issuedBy: z.uuid(),
      issuedAt: time,
      dueDate: time,
      beyond,
      ...rules,
    }),
    time: ({ issuedAt }) => issuedAt,
    label: m.event_books_issued,
    icon: 'issued',
    letter: 'books-issued',
    visit: AT_DESK,
    by: ({ issuedBy }) => issuedBy,
    life: 'goes-on',
    copies: ({ copies: names }) => ({ names }),
    hold: 'collected',
    money: null,
    recent: ({ bookIds }) => ({ bookIds }),
    undo: 'issue',
  }),
  /**
   * A book that the reader had from the library's earlier system, when this one took its place: nobody rented or issued it here.
   * `lentSince` and `renewals` are as that system said. `statedDue` is its last day in time; where that was over, `dueDate` is the
   * day of the take-over, unless the library chose to count the days before: what was late there was for that system to charge.
   */
  LoanTakenOver: event({
    version: 1,
    data: z.object({
      borrowId,
      readerId: z.uuid(),
      book: z.object({ bookId: z.int(), title: z.string(), kind: z.enum(BOOK_KINDS).exactOptional() }),
      copy,
      lentSince: time,
      renewals: z.int().min(0),
      statedDue: z.iso.date(),
      dueDate: time,
      takenOverBy: z.uuid(),
      takenOverAt: time,
      ...rules,
    }),
    time: ({ takenOverAt }) => takenOverAt,
    label: m.event_loan_taken_over,
    icon: 'moved',
    // Readers know what they have: thousands of letters on one day would say nothing new.
    letter: null,
    by: ({ takenOverBy }) => takenOverBy,
    life: 'begins',
    copies: ({ book: { bookId }, copy }) => ({ takes: 'all', names: [{ bookId, copy }] }),
    hold: 'has-the-book',
    money: null,
    recent: ({ book }) => ({ bookIds: [book.bookId] }),
    undo: 'issue',
  }),
  /** A scan showed which copy of a book is with the reader: it was issued by its title alone, or as another copy. */
  CopyRebound: event({
    version: 1,
    data: z.object({ borrowId, bookId: z.int(), copy, reboundBy: z.uuid(), reboundAt: time }),
    time: ({ reboundAt }) => reboundAt,
    label: m.event_copy_rebound,
    icon: 'moved',
    letter: null,
    by: ({ reboundBy }) => reboundBy,
    life: 'may-follow-the-end',
    copies: ({ bookId, copy: seen }) => ({ names: [{ bookId, copy: seen }] }),
    money: null,
    hold: null,
    undo: null,
    recent: null,
    simulated: false,
  }),
  BorrowRenewed: event({
    version: 1,
    data: z.object({ borrowId, renewedBy: z.uuid(), renewedAt: time, dueDate: time, beyond, ...rules }),
    time: ({ renewedAt }) => renewedAt,
    label: m.event_borrow_renewed,
    icon: 'renewed',
    letter: null,
    visit: ({ renewedBy }, reader) => renewedBy !== reader,
    by: ({ renewedBy }) => renewedBy,
    life: 'goes-on',
    copies: NO_COPIES,
    money: null,
    hold: null,
    undo: null,
    recent: () => ({}),
  }),
  /** Rented and never collected: the copies went back. `bookIds` are those that still waited. */
  BorrowExpired: event({
    version: 1,
    data: z.object({ borrowId, bookIds, expiredAt: time }),
    time: ({ expiredAt }) => expiredAt,
    label: m.event_borrow_expired,
    icon: 'expired',
    letter: 'borrow-expired',
    by: BY_JOB,
    life: 'goes-on',
    copies: ({ bookIds: frees }) => ({ frees }),
    hold: 'lapsed',
    money: null,
    undo: null,
    recent: null,
  }),
  /** The reader, or a librarian for them, gave up what they had not collected: the copies went back. */
  RentCancelled: event({
    version: 1,
    data: z.object({
      borrowId,
      bookIds,
      cancelledBy: z.uuid(),
      cancelledAt: time,
      /** The books had been lent at the desk, and that was undone: nobody had rented them. */
      undone: z.literal(true).exactOptional(),
    }),
    time: ({ cancelledAt }) => cancelledAt,
    label: m.event_rent_cancelled,
    icon: 'expired',
    letter: 'rent-cancelled',
    by: ({ cancelledBy }) => cancelledBy,
    life: 'goes-on',
    copies: ({ bookIds: frees }) => ({ frees }),
    hold: 'cancelled',
    money: null,
    undo: null,
    recent: null,
  }),
  /** `amount` of this charge, `total` of all charges of the borrow so far, both in grosze. */
  FineCharged: event({
    version: 1,
    data: z.object({
      borrowId,
      amount: grosze,
      total: grosze,
      daysLate: z.int().min(1),
      reason: z.enum(['overdue']),
      chargedAt: time,
      policyVersion: z.int(),
      /** The days between which `daysLate` was counted, and by whose midnights. */
      calendar: z.object({ timeZone: z.string(), dueDay: z.iso.date(), chargedDay: z.iso.date() }),
    }),
    time: ({ chargedAt }) => chargedAt,
    label: m.event_fine_charged,
    icon: 'charged',
    letter: 'fee-charged',
    // With what a librarian did, and not by the sweep.
    visit: (_, reader, actor) => actor !== reader && z.uuid().safeParse(actor).success,
    by: BY_JOB,
    life: 'goes-on',
    copies: NO_COPIES,
    money: 'charged',
    hold: null,
    undo: null,
    recent: () => ({}),
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
    label: m.event_fine_paid,
    icon: 'paid',
    letter: 'fee-paid',
    visit: ({ provider }) => provider === DESK,
    by: ({ provider }) => (provider === DESK ? ACTOR : null),
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'paid',
    hold: null,
    recent: ({ amount, transactionId, provider }) => (provider === DESK ? { amount, transactionId } : {}),
    undo: 'payment',
  }),
  /** A librarian waived a fee, in part or whole: `amount` of it need not be paid. */
  FeeWaived: event({
    version: 1,
    data: z.object({
      borrowId,
      amount: grosze,
      reason: z.enum(WAIVER_REASONS),
      waivedBy: z.uuid(),
      /** Who asked for it, as it was more than they may waive alone: `waivedBy` has approved it. */
      askedBy: z.uuid().exactOptional(),
      waivedAt: time,
    }),
    time: ({ waivedAt }) => waivedAt,
    label: m.event_fee_waived,
    icon: 'waived',
    letter: null,
    visit: AT_DESK,
    by: ({ waivedBy }) => waivedBy,
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'waived',
    hold: null,
    recent: ({ amount }) => ({ amount }),
    undo: 'waiver',
    noted: true,
  }),
  BooksReturned: event({
    version: 1,
    data: z.object({ borrowId, bookIds, returnedTo: z.uuid(), returnedAt: time }),
    time: ({ returnedAt }) => returnedAt,
    label: m.event_books_returned,
    icon: 'returned',
    letter: null,
    visit: AT_DESK,
    by: ({ returnedTo }) => returnedTo,
    life: 'goes-on',
    copies: ({ bookIds: frees }) => ({ frees }),
    money: null,
    hold: null,
    recent: ({ bookIds }) => ({ bookIds }),
    undo: 'return',
  }),
  /** Books were taken back at the desk while a fee was owed: their copies are free, the fee is still to pay. */
  BooksTakenBack: event({
    version: 1,
    data: z.object({ borrowId, bookIds, takenBackBy: z.uuid(), takenBackAt: time }),
    time: ({ takenBackAt }) => takenBackAt,
    label: m.event_books_taken_back,
    icon: 'returned',
    letter: null,
    visit: AT_DESK,
    by: ({ takenBackBy }) => takenBackBy,
    life: 'goes-on',
    copies: ({ bookIds: frees }) => ({ frees }),
    money: null,
    hold: null,
    recent: ({ bookIds }) => ({ bookIds }),
    undo: 'take-back',
  }),
  /** The reader has lost the book. */
  BookLost: event({
    version: 1,
    ...loss,
    label: m.event_book_lost,
    icon: 'gone',
    copies: ({ bookId }) => ({ loss: 'lost', bookId }),
  }),
  /** The book came back and can be lent no more. */
  BookDamaged: event({
    version: 1,
    ...loss,
    label: m.event_book_damaged,
    icon: 'gone',
    copies: ({ bookId }) => ({ loss: 'damaged', bookId }),
  }),
  /** A lost book turned up: its charge, `amount`, is taken back. What was paid of it is owed to the reader until `RefundPaid`. */
  LostBookFound: event({
    version: 1,
    data: z.object({ borrowId, bookId: z.int(), amount: grosze, foundBy: z.uuid(), foundAt: time }),
    time: ({ foundAt }) => foundAt,
    label: m.event_lost_book_found,
    icon: 'arrived',
    letter: 'loss-found',
    visit: AT_DESK,
    by: ({ foundBy }) => foundBy,
    life: 'goes-on',
    copies: ({ bookId }) => ({ loss: 'found', bookId }),
    money: 'taken-back',
    hold: null,
    recent: ({ bookId, amount }) => ({ bookIds: [bookId], amount }),
    undo: 'finding',
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
    ...undoing,
    label: m.event_finding_undone,
    letter: 'finding-undone',
    life: 'goes-on',
    copies: ({ bookId }) => ({ loss: 'lost again', bookId }),
    money: 'undone',
    hold: null,
    undo: null,
    recent: null,
  }),
  /** What the reader had paid for a book that was found was handed back to them, at the desk. */
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
    label: m.event_refund_paid,
    icon: 'paid',
    letter: 'refund-paid',
    visit: AT_DESK,
    by: ({ paidBy }) => paidBy,
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'refunded',
    hold: null,
    recent: ({ amount, transactionId }) => ({ amount, transactionId }),
    undo: 'refund',
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
    ...undoing,
    label: m.event_loss_undone,
    letter: 'loss-undone',
    life: 'goes-on',
    copies: ({ bookId }) => ({ loss: 'undone', bookId }),
    money: 'taken-back',
    hold: null,
    undo: null,
    recent: null,
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
    ...undoing,
    label: m.event_issue_undone,
    letter: 'issue-undone',
    life: 'goes-on',
    copies: ({ bookIds: undone }) => ({ names: undone.map((bookId) => ({ bookId, copy: null })) }),
    money: null,
    hold: null,
    undo: null,
    recent: null,
  }),
  /** The return at `revision` was undone: the reader has the books. Their copies were allocated again before. */
  ReturnUndone: event({
    version: 1,
    data: z.object({ borrowId, revision, bookIds, undoneBy: z.uuid(), undoneAt: time }),
    ...undoing,
    label: m.event_return_undone,
    letter: null,
    life: 'goes-on',
    copies: ({ bookIds: takes }) => ({ takes }),
    money: null,
    hold: null,
    undo: null,
    recent: null,
  }),
  /** The waiver at `revision` was undone: its amount is due again. */
  WaiverUndone: event({
    version: 1,
    data: z.object({ borrowId, revision, amount: grosze, undoneBy: z.uuid(), undoneAt: time }),
    ...undoing,
    label: m.event_waiver_undone,
    letter: null,
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'undone',
    hold: null,
    undo: null,
    recent: null,
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
    ...undoing,
    label: m.event_payment_undone,
    letter: 'payment-undone',
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'undone',
    hold: null,
    undo: null,
    recent: null,
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
    ...undoing,
    label: m.event_refund_undone,
    letter: 'refund-undone',
    life: 'may-follow-the-end',
    copies: NO_COPIES,
    money: 'undone',
    hold: null,
    undo: null,
    recent: null,
  }),
  /** The fence of undoing a return: it was given up before `ReturnUndone` was stored, and never can be for these books. */
  UndoAbandoned: event({
    version: 1,
    data: z.object({ borrowId, bookIds, abandonedAt: time }),
    time: ({ abandonedAt }) => abandonedAt,
    label: m.event_undo_abandoned,
    icon: 'undone',
    letter: null,
    by: BY_JOB,
    life: 'may-follow-the-end',
    copies: ({ bookIds: frees }) => ({ frees }),
    money: null,
    hold: null,
    undo: null,
    recent: null,
    simulated: false,
  }),
  /** The fence of the copy protocol: this rent was given up before `BooksRented` was stored, and never can be. */
  RentAbandoned: event({
    version: 1,
    data: z.object({ borrowId, abandonedAt: time }),
    time: ({ abandonedAt }) => abandonedAt,
    label: m.event_rent_abandoned,
    icon: 'undone',
    letter: null,
    by: BY_JOB,
    life: 'fence',
    copies: () => ({ frees: 'all' }),
    money: null,
    hold: null,
    undo: null,
    recent: null,
    simulated: false,
  }),
};

/** What a person may do next with a borrow; `circulation/borrow/borrow.decider` says when. The API lists them in this order. */
export const BORROW_ACTIONS = [
  'issue',
  'return',
  'renew',
  /** As `renew`, where a limit of the house is in the way: a librarian may go beyond it with a reason. */
  'renew-beyond',
  'pay',
  'cancel',
  'take-back',
  'waive',
  'mark-lost',
  'mark-found',
  'refund',
] as const;
export type BorrowAction = (typeof BORROW_ACTIONS)[number];

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

/** What the entry of an event says of one that happened. */
type Said<Data> = {
  time: (data: Data) => string;
  visit?: (data: Data, reader: string, actor: string) => boolean;
  by: (data: Data) => string | null;
  copies: (data: Data) => CopyEffect | null;
  recent: ((data: Data) => KeptForUndo) | null;
};
const ENTRIES: { [Type in BorrowEventType]: Said<DataOf[Type]> } = BORROW_EVENTS;

/** The event's own time, ISO 8601 in UTC. */
export function borrowEventTime<Type extends BorrowEventType>({ type, data }: BorrowEvent<Type>): string {
  return ENTRIES[type].time(data);
}

/** Whose doing it was: see `by`. */
export function doneBy<Type extends BorrowEventType>({ type, data }: BorrowEvent<Type>): string | null {
  return ENTRIES[type].by(data);
}

/** Who asked for it, where that was somebody else than who did it. */
export const askedBy = ({ type, data }: BorrowEvent): string | undefined =>
  type === 'FeeWaived' ? data.askedBy : undefined;

/** Whether it is told by the letter of a visit: see `visit`. */
export function isOfVisit<Type extends BorrowEventType>(
  { type, data }: BorrowEvent<Type>,
  reader: string,
  actor: string,
): boolean {
  return ENTRIES[type].visit?.(data, reader, actor) ?? false;
}

/** Whether it is the first event of its borrow. */
export const beginsBorrow = (of: BorrowEvent): of is BeginningEvent =>
  BORROW_EVENTS[of.type].life === 'begins';
export type BeginningEvent = BorrowEvent<'BooksRented' | 'LoanTakenOver'>;

/** The books with which a borrow begins. */
export const booksAtBeginning = ({ type, data }: BeginningEvent) =>
  type === 'BooksRented' ? data.books : [data.book];

/** What becomes of the copies of its borrow. */
export function copyEffect<Type extends BorrowEventType>({
  type,
  data,
}: BorrowEvent<Type>): CopyEffect | null {
  return ENTRIES[type].copies(data);
}

type TypesWith<Field extends 'money' | 'recent' | 'simulated'> = {
  [Type in BorrowEventType]: (typeof BORROW_EVENTS)[Type][Field] extends null | false ? never : Type;
}[BorrowEventType];

/** Those that change what a borrow costs. */
export type MoneyEventType = TypesWith<'money'>;
/** Those that a borrow knows for some minutes. */
export type RecentEventType = TypesWith<'recent'>;

const RECENT_EVENT_TYPES = BORROW_EVENT_TYPES.filter(
  (type): type is RecentEventType => BORROW_EVENTS[type].recent !== null,
);

/**
 * A late event of a borrow, as long as it can be undone or stands in the way of undoing another. `revision` is its place in the
 * reader's stream. What is needed to undo it is kept with it.
 */
export const recentEventSchema = z.object({
  revision: z.int().min(0),
  type: z.enum(RECENT_EVENT_TYPES),
  /** The event's own time. */
  at: z.string(),
  /** The books that it is about, of an issue, a return, a loss or a finding. */
  bookIds: z.array(z.int()).readonly().exactOptional(),
  /** When the books were due before it, of an issue. */
  dueDate: z.string().nullable().exactOptional(),
  /** grosze, of a waiver, a loss, a finding, or of money that changed hands at the desk */
  amount: z.int().exactOptional(),
  /** Of money that changed hands at the desk. */
  transactionId: z.string().exactOptional(),
});
export type RecentEvent = Readonly<z.infer<typeof recentEventSchema>>;

export function isSimulated<Type extends BorrowEventType>(
  of: BorrowEvent<Type>,
): of is BorrowEvent<Type & TypesWith<'simulated'>> {
  return BORROW_EVENTS[of.type].simulated;
}

export function isOfMoney(of: BorrowEvent): of is BorrowEvent<MoneyEventType> {
  return BORROW_EVENTS[of.type].money !== null;
}

/** What a borrow keeps of the event for some minutes, `undefined` for nothing. */
export function keptForUndo<Type extends BorrowEventType>({
  type,
  data,
}: BorrowEvent<Type>): (KeptForUndo & { type: RecentEventType }) | undefined {
  const kept = ENTRIES[type].recent?.(data);
  return kept && { type: type as RecentEventType, ...kept };
}

export const BORROW_STREAM_PREFIX = 'borrows-';

/** The stream that holds every borrow event of a reader. */
export function borrowStream(readerId: string): string {
  return `${BORROW_STREAM_PREFIX}${readerId}`;
}
