import * as m from '#words/messages.js';
import {
  BORROW_EVENTS,
  type BorrowEvent,
  type Undoable,
  type RecentEvent,
} from '#contracts/borrowing/borrow-events.js';
import { MAX_UNDOABLE, type BorrowView } from '#contracts/borrowing/borrow-views.js';
import { bookState } from '#contracts/borrowing/borrowed-book.js';
import { DomainError } from '#contracts/domain-error.js';
import type { ReaderKind } from '#contracts/rules/kinds.js';
import type { Borrow, ReaderBorrows } from './borrow-state.js';
import { numbersFor, type BorrowRules } from '../rules/borrow.policy.js';
import { knownBorrow, notOwnFee, openBooks } from './borrow.rules.js';
import { isLoss, isReturn } from './recent-events.js';

/** A librarian undoes what was done at the desk minutes ago. */
export interface UndoCommand {
  type: 'Undo';
  borrowId: string;
  /** Whose borrow it is. */
  readerId: string;
  readerKind?: ReaderKind;
  /** Of the event, in the reader's stream. */
  revision: number;
  librarianId: string;
  /** ISO 8601 in UTC */
  at: string;
}

/** The late events of a borrow, and its books. */
type WithRecent = Pick<Borrow, 'recent' | 'books'>;

/** What can be undone of a borrow, the latest first, as far as the borrow says: what else the reader has may be in the way. */
export function undoableSteps(borrow: WithRecent, at: string, rules: BorrowRules): BorrowView['undo'] {
  return borrow.recent
    .flatMap((recent): BorrowView['undo'] => {
      const what = undoableAs(recent);
      if (what === null || isTooLate(recent, at, rules) || inTheWayOf(recent, borrow)) return [];
      const { revision, bookIds = [] } = recent;
      return [{ revision, what, until: until(recent, rules), bookIds: [...bookIds] }];
    })
    .toReversed()
    .slice(0, MAX_UNDOABLE);
}

/**
 * The event that a command undoes.
 * @throws DomainError BorrowNotFound, NothingToUndo, OwnFee; UndoBlocked, saying by what
 */
export function undoTarget(state: ReaderBorrows, command: UndoCommand, rules: BorrowRules): RecentEvent {
  const borrow = knownBorrow(state, command.borrowId);
  const recent = borrow.recent.find(({ revision }) => revision === command.revision);
  if (!recent || undoableAs(recent) === null || isTooLate(recent, command.at, rules)) {
    throw new DomainError('NothingToUndo', m.borrow_undo_too_late({ minutes: rules.undoMinutes }));
  }
  if (isInOnesFavour(recent)) {
    notOwnFee(command.readerId, command.librarianId, m.borrow_own_undo);
  }
  const reason =
    inTheWayOf(recent, borrow) ??
    (isReturn(recent) || isLoss(recent)
      ? hasMoreSince(state, recent, numbersFor(rules, command.readerKind))
      : undefined);
  if (reason) throw new DomainError('UndoBlocked', m.borrow_undo_blocked({ reason: reason() }));
  return recent;
}

/** An event of its own, which names the one undone: nothing is ever deleted. */
export function undo(state: ReaderBorrows, command: UndoCommand, rules: BorrowRules): BorrowEvent[] {
  const recent = undoTarget(state, command, rules);
  const { amount = 0, dueDate = null, transactionId = '' } = recent;
  const bookIds = [...(recent.bookIds ?? [])];
  const { borrowId, revision, librarianId: undoneBy, at: undoneAt } = command;
  const undone = { borrowId, revision, undoneBy, undoneAt };
  const ofEach = (type: 'LossUndone' | 'FindingUndone') =>
    bookIds.map((bookId): BorrowEvent => ({ type, data: { ...undone, bookId, amount } }));
  switch (undoableAs(recent)) {
    case 'issue': {
      const issueUndone: BorrowEvent = { type: 'IssueUndone', data: { ...undone, bookIds, dueDate } };
      if (!isBegunByIt(knownBorrow(state, borrowId), recent)) return [issueUndone];
      // Nobody had rented it: it does not wait for them either.
      const by = { cancelledBy: undoneBy, cancelledAt: undoneAt };
      const cancelled = { borrowId, bookIds, ...by, undone: true as const };
      return [issueUndone, { type: 'RentCancelled', data: cancelled }];
    }
    case 'return':
    case 'take-back':
      return [{ type: 'ReturnUndone', data: { ...undone, bookIds } }];
    case 'loss':
      return ofEach('LossUndone');
    case 'finding':
      return ofEach('FindingUndone');
    case 'waiver':
      return [{ type: 'WaiverUndone', data: { ...undone, amount } }];
    case 'payment':
      return [{ type: 'PaymentUndone', data: { ...undone, amount, transactionId } }];
    case 'refund':
      return [{ type: 'RefundUndone', data: { ...undone, amount, transactionId } }];
    case null:
      return [];
  }
}

/** Rented and issued by one command, at one instant (`LendBooks`), or taken over. */
function isBegunByIt({ rentedAt }: Borrow, { type, at }: RecentEvent): boolean {
  return type === 'LoanTakenOver' || Date.parse(rentedAt) === Date.parse(at);
}

/** Where the books are out, the undoing was stored after all. */
export function abandonUndo(
  borrow: Borrow,
  { bookIds, at }: { bookIds: readonly number[]; at: string },
): BorrowEvent[] {
  const back = borrow.books.filter((book) => bookIds.includes(book.bookId) && bookState(book) === 'returned');
  if (back.length === 0) return [];
  return [
    {
      type: 'UndoAbandoned',
      data: { borrowId: borrow.id, bookIds: back.map(({ bookId }) => bookId), abandonedAt: at },
    },
  ];
}

/** What was paid online is given back by its provider. */
function undoableAs({ type, transactionId }: RecentEvent): Exclude<Undoable, 'other'> | null {
  const { undo: as } = BORROW_EVENTS[type];
  return as === 'payment' && transactionId === undefined ? null : as;
}

/** What its reader would gain by: money out of the till or into it, or a charge that is gone. */
function isInOnesFavour(recent: RecentEvent): boolean {
  return isLoss(recent) || recent.transactionId !== undefined;
}

const until = ({ at }: RecentEvent, { undoMinutes }: BorrowRules) =>
  new Date(Date.parse(at) + undoMinutes * 60_000).toISOString();

function isTooLate(recent: RecentEvent, at: string, rules: BorrowRules): boolean {
  return Date.parse(at) > Date.parse(until(recent, rules));
}

/** The reader may have rented since what they would have again. */
function hasMoreSince(
  state: ReaderBorrows,
  { bookIds = [] }: RecentEvent,
  { maxBooksPerReader }: BorrowRules,
): (() => string) | undefined {
  const open = openBooks(state);
  if (bookIds.some((bookId) => open.includes(bookId))) return m.borrow_undo_since_rented_again;
  if (open.length + bookIds.length <= maxBooksPerReader) return undefined;
  return () => m.borrow_undo_since_rented_others({ most: maxBooksPerReader });
}

/** What happened with the borrow since and depends on the event, in a sentence; nothing where nothing does. */
function inTheWayOf(recent: RecentEvent, borrow: WithRecent): (() => string) | undefined {
  const later = borrow.recent.filter(({ revision }) => revision > recent.revision);
  const [reason] = reasonsAgainst(recent, borrow).filter(
    ([type]) => type === true || later.some((each) => each.type === type),
  );
  return reason?.[1];
}

/** What would be in the way: an event since, or `true` where something is, and the sentence. */
function reasonsAgainst(
  recent: RecentEvent,
  { books }: WithRecent,
): [RecentEvent['type'] | boolean, () => string][] {
  const renewed: [RecentEvent['type'], () => string] = ['BorrowRenewed', m.borrow_undo_since_renewed];
  const paid: [RecentEvent['type'], () => string] = ['FinePaid', m.borrow_undo_since_paid];
  const waived: [RecentEvent['type'], () => string] = ['FeeWaived', m.borrow_undo_since_waived];
  switch (undoableAs(recent)) {
    case 'issue': {
      const back = books.some((book) => recent.bookIds?.includes(book.bookId) && bookState(book) !== 'lent');
      return [
        [back, m.borrow_undo_since_back],
        renewed,
        ['BooksIssued', m.borrow_undo_since_issued],
        ['FineCharged', m.borrow_undo_since_charged],
      ];
    }
    case 'refund':
      return [paid, waived];
    case 'loss': {
      const found = books.some((book) => recent.bookIds?.includes(book.bookId) && book.loss === undefined);
      return [[found, m.borrow_undo_since_found], paid, waived, renewed];
    }
    case 'return':
    case 'take-back':
      return [paid, waived, renewed];
    case 'waiver':
    case 'payment':
    case 'finding':
      return [
        paid,
        ['RefundPaid', m.borrow_undo_since_refunded],
        ['BooksReturned', m.borrow_undo_since_returned],
        renewed,
      ];
    case null:
      return [];
  }
}
