import { DESK, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { bookState, type BorrowedBook, type Loss } from '#contracts/borrowing/borrowed-book.js';
import { isHoldLetter, type HoldLetter, type ReaderEvent } from '#contracts/holds/hold-events.js';
import {
  fineDue,
  lentBooks,
  refundDue,
  reservedBooks,
  type Borrow,
} from '#circulation/borrow/borrow-state.js';
import { type BorrowRules, rulesOfBook } from '#circulation/rules/borrow.policy.js';
import { isOverdue, loanDaysOf, renewalsOf } from '#circulation/borrow/borrow.rules.js';
import { lateBooks } from '#circulation/borrow/late-fee.decider.js';
import { isOver } from '#circulation/rules/period.js';

/** What a letter about a borrow or a hold says. Times are ISO 8601 in UTC, amounts grosze. */
export type BorrowLetter =
  | ({ kind: 'books-rented'; titles: string[]; collectBy: string; loanDays: number } & OfHold)
  | { kind: 'books-issued'; titles: string[]; dueDate: string; renewalsLeft: number }
  | { kind: 'due-soon'; titles: string[]; dueDate: string; renewalsLeft: number }
  | ({ kind: 'borrow-expired'; titles: string[]; collectBy: string } & OfHold)
  | {
      kind: 'fee-charged';
      titles: string[];
      dueDate: string;
      daysLate: number;
      perBookAndDay: number;
      /** The most that the borrow can cost. */
      cap: number;
      charged: number;
      due: number;
      /** Already paid for earlier days. */
      paid: number;
      waived: number;
      /** Whether books are still out: the fee grows until they are back. */
      grows: boolean;
    }
  | {
      kind: 'fee-paid';
      titles: string[];
      amount: number;
      paidAt: string;
      transactionId: string;
      /** Paid at the desk, not online. */
      atDesk: boolean;
      /** What it is for: late books, for how many days at most, and lost and damaged ones; `titles` are of both. */
      late?: { titles: string[]; days: number };
      losses?: { title: string; as: Loss }[];
      /** Still to pay: it was a part. */
      due: number;
      /** Late books that are still with the reader. */
      toReturn: string[];
    }
  | {
      kind: 'loss-charged';
      /** The one book. */
      titles: string[];
      as: Loss;
      reportedAt: string;
      /** Of the book, where it has one. */
      price: number | null;
      amount: number;
      due: number;
    }
  | {
      kind: 'loss-found';
      titles: string[];
      foundAt: string;
      amount: number;
      due: number;
      /** What was paid, and is owed to the reader. */
      refund: number;
    }
  | {
      kind: 'refund-paid';
      titles: string[];
      amount: number;
      paidAt: string;
      transactionId: string;
    }
  /** Somebody else than its reader cancelled a hold. */
  | { kind: 'hold-cancelled'; titles: string[]; cancelledAt: string }
  /** The last day on which its reader needed the book has passed. */
  | { kind: 'hold-not-needed'; titles: string[]; neededUntil: string }
  | Correction;

/** Of a book that the reader had waited for. */
interface OfHold {
  isReserved?: true;
  /** A copy was kept for them before, and was needed otherwise. */
  isAnother?: true;
}

/** It follows a letter that is no longer true, and says so. `corrects` is the cause of that one. */
export type Correction =
  | {
      kind: 'rent-cancelled';
      titles: string[];
      cancelledAt: string;
      /** What became of the hold for which the copy was kept: they wait again, or it is over; none where it was an ordinary rent. */
      hold?: 'set-back' | 'cancelled';
      corrects: string;
    }
  /** `collectBy` is null where the books do not wait at the desk either. */
  | { kind: 'issue-undone'; titles: string[]; collectBy: string | null; undoneAt: string; corrects: string }
  | {
      kind: 'payment-undone';
      titles: string[];
      amount: number;
      transactionId: string;
      undoneAt: string;
      due: number;
      corrects: string;
    }
  | {
      kind: 'loss-undone';
      titles: string[];
      amount: number;
      undoneAt: string;
      dueDate: string | null;
      corrects: string;
    }
  | {
      kind: 'finding-undone';
      titles: string[];
      amount: number;
      undoneAt: string;
      due: number;
      corrects: string;
    }
  | {
      kind: 'refund-undone';
      titles: string[];
      amount: number;
      transactionId: string;
      undoneAt: string;
      /** What is owed to the reader again. */
      refund: number;
      corrects: string;
    };

/** The data of a letter's job. */
export interface AskedLetter {
  kind: BorrowLetter['kind'];
  /** The id of the event that the letter reports; none for a reminder. */
  cause: string;
  /** In a letter about a hold, that one's id. */
  borrowId: string;
  /** The due date that a reminder is about. */
  dueDate?: string;
}

/** An event of the reader's stream. */
export interface KnownEvent {
  id: string;
  revision: bigint;
  event: ReaderEvent;
}

/** A hold, as far as letters speak of it. Times are ISO 8601 in UTC. */
export interface KnownHold {
  id: string;
  title: string;
  /** When it was over; null while it is not. */
  endedAt: string | null;
  /** The end of the last day on which the reader needs the book; null where they named none. */
  neededUntil: string | null;
}

/** The log does not have the event that the letter reports. */
export class LetterWithoutEvent extends Error {}

/** Whether these events, the newest of a stream, are all that a letter is decided from beside the borrow. */
export function hasEnoughFor(asked: AskedLetter, newest: readonly KnownEvent[]): boolean {
  const { kind, cause, borrowId } = asked;
  const hasCharge = (events: readonly KnownEvent[]) =>
    events.some(({ event: { type, data } }) => type === 'FineCharged' && data.borrowId === borrowId);
  if (kind === 'fee-charged') return hasCharge(newest);
  if (isCorrection(kind)) return correctedBy(asked, newest) !== undefined;
  if (kind === 'loss-charged' || kind === 'loss-found' || kind === 'refund-paid')
    return newest.some(({ id }) => id === cause);
  if (kind !== 'fee-paid') return true;
  const at = newest.findIndex(({ id }) => id === cause);
  return at >= 0 && hasCharge(newest.slice(0, at));
}

const CORRECTIONS: ReadonlySet<string> = new Set<Correction['kind']>([
  'rent-cancelled',
  'issue-undone',
  'payment-undone',
  'loss-undone',
  'finding-undone',
  'refund-undone',
]);

function isCorrection(kind: BorrowLetter['kind']): kind is Correction['kind'] {
  return CORRECTIONS.has(kind);
}

/** The event that one takes back, of which a letter was requested. */
function correctedBy({ cause }: AskedLetter, events: readonly KnownEvent[]): KnownEvent | undefined {
  const known = events.find(({ id }) => id === cause);
  if (!known) return undefined;
  const { type, data } = known.event;
  if (type === 'RentCancelled') {
    return events.find(({ event }) => event.type === 'BooksRented' && event.data.borrowId === data.borrowId);
  }
  if (!('revision' in data)) return undefined;
  return events.find(({ revision }) => revision === BigInt(data.revision));
}

/**
 * What a letter says, by the current log. Things change between the event and the sending: a reader who has paid gets
 * no request to pay, one who renewed gets no reminder.
 * @param borrow that it is about; nothing where there is none
 * @param events the reader's, in order; of the newest as many as `hasEnoughFor` wants
 * @param now ISO 8601 in UTC
 * @returns nothing if the letter is no longer true
 * @throws LetterWithoutEvent
 */
export function decideLetter(
  asked: AskedLetter,
  borrow: Borrow | undefined,
  events: readonly KnownEvent[],
  now: string,
  rules: BorrowRules,
): BorrowLetter | undefined {
  if (!borrow) throw new LetterWithoutEvent('The log has no such borrow of this reader.');
  const { kind } = asked;
  if (isHoldLetter(kind)) throw new LetterWithoutEvent('This letter is about a hold.');
  const waiting = titlesOf(reservedBooks(borrow));
  const lent = titlesOf(lentBooks(borrow));
  switch (kind) {
    case 'books-rented':
      if (waiting.length === 0 || isOver(borrow.collectBy, now, rules)) return undefined;
      return {
        kind,
        titles: waiting,
        collectBy: borrow.collectBy,
        loanDays: loanDaysOf(reservedBooks(borrow), rules),
      };
    case 'books-issued':
      return isOut(borrow, now, rules) ? { kind, titles: lent, ...dueDateOf(borrow, rules) } : undefined;
    case 'due-soon':
      if (!isOut(borrow, now, rules) || borrow.dueDate !== asked.dueDate) return undefined;
      return { kind, titles: lent, ...dueDateOf(borrow, rules) };
    case 'borrow-expired': {
      const titles = titlesOf(borrow.books.filter((book) => bookState(book) === 'expired'));
      return titles.length > 0 ? { kind, titles, collectBy: borrow.collectBy } : undefined;
    }
    case 'fee-charged':
      return feeCharged(borrow, events, rules);
    case 'fee-paid':
      return feePaid(borrow, asked.cause, events, rules);
    case 'rent-cancelled':
    case 'issue-undone':
    case 'payment-undone':
    case 'loss-undone':
    case 'finding-undone':
    case 'refund-undone':
      return correction(asked, borrow, events);
    case 'refund-paid':
      return refundPaid(borrow, asked.cause, events);
    case 'loss-charged':
    case 'loss-found':
      return loss(asked, borrow, events);
  }
}

/**
 * What a letter says about a hold that is over.
 * @throws LetterWithoutEvent
 */
export function decideHoldLetter(kind: HoldLetter, hold: KnownHold | undefined): BorrowLetter {
  if (!hold?.endedAt) throw new LetterWithoutEvent('The log has no such hold of this reader that is over.');
  const { title, endedAt, neededUntil } = hold;
  if (kind === 'hold-cancelled') return { kind, titles: [title], cancelledAt: endedAt };
  if (neededUntil === null)
    throw new LetterWithoutEvent('The reader named no last day on which they need the book.');
  return { kind, titles: [title], neededUntil };
}

function titlesOf(books: readonly BorrowedBook[]): string[] {
  return books.map(({ title }) => title);
}

/** @returns nothing where what it takes back was done again since */
function correction(
  asked: AskedLetter,
  borrow: Borrow,
  events: readonly KnownEvent[],
): Correction | undefined {
  const cause = events.find(({ id }) => id === asked.cause)?.event;
  const corrects = correctedBy(asked, events)?.id;
  if (!cause || corrects === undefined) {
    throw new LetterWithoutEvent('The log has no event that this letter corrects.');
  }
  const { type, data } = cause;
  const among = (bookIds: readonly number[]) => borrow.books.filter(({ bookId }) => bookIds.includes(bookId));
  if (type === 'RentCancelled') {
    return rentCancelled(data, titlesOf(among(data.bookIds)), corrects, events);
  }
  if (type === 'IssueUndone') {
    const books = among(data.bookIds);
    if (books.some((book) => bookState(book) === 'lent')) return undefined;
    const collectBy = books.some((book) => bookState(book) === 'reserved') ? borrow.collectBy : null;
    return { kind: 'issue-undone', titles: titlesOf(books), collectBy, undoneAt: data.undoneAt, corrects };
  }
  if (type === 'LossUndone') {
    const { amount, undoneAt, bookId } = data;
    const books = among([bookId]);
    if (books.some(({ loss }) => loss)) return undefined;
    return {
      kind: 'loss-undone',
      titles: titlesOf(books),
      amount,
      undoneAt,
      dueDate: borrow.dueDate,
      corrects,
    };
  }
  if (type === 'FindingUndone') {
    const { amount, undoneAt, bookId } = data;
    const books = among([bookId]);
    if (!books.some(({ loss }) => loss)) return undefined;
    const due = fineDue(borrow);
    return { kind: 'finding-undone', titles: titlesOf(books), amount, undoneAt, due, corrects };
  }
  if (type !== 'PaymentUndone' && type !== 'RefundUndone') return undefined;
  const { amount, transactionId, undoneAt } = data;
  const titles = titlesOf(borrow.books);
  if (type === 'RefundUndone') {
    const refund = refundDue(borrow);
    return { kind: 'refund-undone', titles, amount, transactionId, undoneAt, refund, corrects };
  }
  return { kind: 'payment-undone', titles, amount, transactionId, undoneAt, due: fineDue(borrow), corrects };
}

/** @returns nothing where another letter says what became of the hold for which the copy was kept */
function rentCancelled(
  { borrowId, cancelledBy, cancelledAt }: BorrowEvent<'RentCancelled'>['data'],
  titles: string[],
  corrects: string,
  events: readonly KnownEvent[],
): Correction | undefined {
  const letter = { kind: 'rent-cancelled' as const, titles, cancelledAt, corrects };
  const setBack = events.find(
    ({ event: { type, data } }) => type === 'HoldSetBack' && data.borrowId === borrowId,
  );
  if (setBack?.event.type === 'HoldSetBack') {
    const { holdId } = setBack.event.data;
    // Another copy is kept for them by now: they are told of that.
    const isReadyAgain = events.some(
      ({ revision, event: { type, data } }) =>
        type === 'HoldReady' && data.holdId === holdId && revision > setBack.revision,
    );
    return isReadyAgain ? undefined : { ...letter, hold: 'set-back' };
  }
  const isOfHold = events.some(
    ({ event: { type, data } }) =>
      type === 'HoldCancelled' && data.cancelledAt === cancelledAt && data.cancelledBy === cancelledBy,
  );
  if (!isOfHold) return letter;
  const rent = events.find(({ id }) => id === corrects)?.event;
  const isByReader = rent?.type === 'BooksRented' && rent.data.readerId === cancelledBy;
  return isByReader ? { ...letter, hold: 'cancelled' } : undefined;
}

/** @returns nothing where the charge was taken back since, or the book is marked lost again */
function loss(asked: AskedLetter, borrow: Borrow, events: readonly KnownEvent[]): BorrowLetter | undefined {
  const cause = events.find(({ id }) => id === asked.cause)?.event;
  if (cause?.type !== 'BookLost' && cause?.type !== 'BookDamaged' && cause?.type !== 'LostBookFound') {
    throw new LetterWithoutEvent('The log has no such loss of this reader.');
  }
  const { bookId, amount } = cause.data;
  const book = borrow.books.find((each) => each.bookId === bookId);
  if (!book) throw new LetterWithoutEvent('The borrow has no such book.');
  const titles = [book.title];
  const due = fineDue(borrow);
  if (cause.type === 'LostBookFound') {
    if (book.loss) return undefined;
    return {
      kind: 'loss-found',
      titles,
      foundAt: cause.data.foundAt,
      amount,
      due,
      refund: refundDue(borrow),
    };
  }
  if (!book.loss || book.returnedAt !== cause.data.reportedAt) return undefined;
  const { price, reportedAt } = cause.data;
  return { kind: 'loss-charged', titles, as: book.loss.as, reportedAt, price, amount, due };
}

/** With the reader, and not overdue. */
function isOut(borrow: Borrow, now: string, rules: BorrowRules): borrow is Borrow & { dueDate: string } {
  return (
    borrow.status === 'Issued' &&
    lentBooks(borrow).length > 0 &&
    borrow.dueDate !== null &&
    !isOverdue(borrow, borrow.dueDate, now, rules)
  );
}

function dueDateOf(borrow: Borrow & { dueDate: string }, rules: BorrowRules) {
  return {
    dueDate: borrow.dueDate,
    renewalsLeft: Math.max(0, renewalsOf(borrow, rules) - borrow.renewals),
  };
}

function feeCharged(
  borrow: Borrow,
  events: readonly KnownEvent[],
  rules: BorrowRules,
): BorrowLetter | undefined {
  const due = fineDue(borrow);
  if (due <= 0 || borrow.dueDate === null) return undefined;
  const lent = lentBooks(borrow);
  // The letter about the loss has the whole sum.
  if (lent.length === 0 && borrow.books.some(({ loss }) => loss)) return undefined;
  const charge = lastCharge(borrow.id, events);
  const by = (lent.length > 0 ? lent : borrow.books).map((book) => rulesOfBook(book, rules));
  return {
    kind: 'fee-charged',
    titles: lent.length > 0 ? titlesOf(lent) : lateTitles(borrow, charge, rules),
    dueDate: borrow.dueDate,
    daysLate: charge?.daysLate ?? 0,
    perBookAndDay: Math.max(...by.map(({ finePerBookAndDay }) => finePerBookAndDay)),
    cap: Math.max(...by.map(({ fineCap }) => fineCap)),
    charged: borrow.charged,
    paid: borrow.paid,
    waived: borrow.waived,
    due,
    grows: lent.length > 0,
  };
}

/** @returns nothing if the giving back was undone since */
function refundPaid(borrow: Borrow, cause: string, events: readonly KnownEvent[]): BorrowLetter | undefined {
  const known = events.find(({ id }) => id === cause);
  const paid = known?.event;
  if (paid?.type !== 'RefundPaid') throw new LetterWithoutEvent('The log has no such refund of this reader.');
  const isUndone = events.some(
    ({ event: { type, data } }) => type === 'RefundUndone' && BigInt(data.revision) === known?.revision,
  );
  if (isUndone) return undefined;
  const { amount, paidAt, transactionId } = paid.data;
  return { kind: 'refund-paid', titles: titlesOf(borrow.books), amount, paidAt, transactionId };
}

/** @returns nothing if the payment was undone since */
function feePaid(
  borrow: Borrow,
  cause: string,
  events: readonly KnownEvent[],
  rules: BorrowRules,
): BorrowLetter | undefined {
  const at = events.findIndex(({ id }) => id === cause);
  const known = events[at];
  const paid = known?.event;
  if (paid?.type !== 'FinePaid') throw new LetterWithoutEvent('The log has no such payment of this reader.');
  const isUndone = events.some(
    ({ event: { type, data } }) => type === 'PaymentUndone' && BigInt(data.revision) === known?.revision,
  );
  if (isUndone) return undefined;
  const charge = lastCharge(borrow.id, events.slice(0, at));
  const late = charge && { titles: lateTitles(borrow, charge, rules), days: charge.daysLate };
  // What was lost after it was paid is another matter.
  const since = events
    .slice(at)
    .flatMap(({ event: { type, data } }) =>
      (type === 'BookLost' || type === 'BookDamaged') && data.borrowId === borrow.id ? data.bookId : [],
    );
  const losses = borrow.books.flatMap(({ bookId, title, loss: gone }) =>
    gone && !since.includes(bookId) ? [{ title, as: gone.as }] : [],
  );
  const titles = [...new Set([...(late?.titles ?? []), ...losses.map(({ title }) => title)])];
  return {
    kind: 'fee-paid',
    titles: titles.length > 0 ? titles : titlesOf(borrow.books),
    ...(late && { late }),
    ...(losses.length > 0 && { losses }),
    amount: paid.data.amount,
    paidAt: paid.data.paidAt,
    transactionId: paid.data.transactionId,
    atDesk: paid.data.provider === DESK,
    due: fineDue(borrow),
    toReturn: charge ? titlesOf(lentBooks(borrow)) : [],
  };
}

function lastCharge(borrowId: string, events: readonly KnownEvent[]) {
  const charges = events.flatMap(({ event: { type, data } }) =>
    type === 'FineCharged' && data.borrowId === borrowId ? [data] : [],
  );
  return charges.at(-1);
}

/** The books for which days were charged. */
function lateTitles(borrow: Borrow, charge: ReturnType<typeof lastCharge>, rules: BorrowRules) {
  const late = charge ? lateBooks(borrow, charge.calendar, (book) => rulesOfBook(book, rules)) : [];
  return titlesOf(late.length > 0 ? late.map(({ book }) => book) : borrow.books);
}
