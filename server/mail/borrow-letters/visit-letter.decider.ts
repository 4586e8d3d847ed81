import {
  BORROW_EVENTS,
  borrowEventTime,
  type BorrowEvent,
  type BorrowEventType,
} from '#contracts/borrowing/borrow-events.js';
import { isHoldEvent } from '#contracts/holds/hold-events.js';
import { fineDue, isLent, lentBooks, reservedBooks, type Borrow } from '#circulation/borrow/borrow-state.js';
import { renewalsOf } from '#circulation/borrow/borrow.rules.js';
import type { BorrowRules } from '#circulation/rules/borrow.policy.js';
import { isOver } from '#circulation/rules/period.js';
import {
  decideLetter,
  hasEnoughFor,
  type AskedLetter,
  type BorrowLetter,
  type KnownEvent,
} from './borrow-letter.decider.js';

/** What was done in a visit and has no letter of its own. Times are ISO 8601 in UTC, amounts grosze. */
type DoneAtDesk =
  | { kind: 'books-returned'; titles: string[] }
  | { kind: 'borrow-renewed'; titles: string[]; dueDate: string; renewalsLeft: number }
  | { kind: 'fee-waived'; titles: string[]; amount: number; due: number }
  | { kind: 'return-undone'; titles: string[]; dueDate: string | null; undoneAt: string }
  | { kind: 'waiver-undone'; titles: string[]; amount: number; due: number; undoneAt: string };

export type VisitPart = BorrowLetter | DoneAtDesk;

/** What the letter of a visit says. */
export interface VisitLetter {
  /** When it began. */
  at: string;
  /** `corrects` is the revision of an event that an earlier letter told of: where none did, there is nothing to correct. */
  parts: { part: VisitPart; corrects?: number }[];
  /** What waits for the reader at the desk. */
  waiting: { titles: string[]; collectBy: string }[];
  /** All that they owe. */
  owes: number;
}

/** A visit: its first and its last event, by their revisions in the reader's stream. */
export interface AskedVisit {
  from: number;
  until: number;
}

/** An event of the reader's stream. */
export interface VisitEvent extends KnownEvent {
  /** Staff did it, with the reader at the desk. */
  isAtDesk: boolean;
}

/** An event of the visit, not those of holds. */
interface Done {
  id: string;
  event: BorrowEvent;
}

/** Those of the visit, in order. */
function doneIn({ from, until }: AskedVisit, events: readonly VisitEvent[]): (Done & { revision: number })[] {
  return events.flatMap(({ id, revision, event, isAtDesk }) =>
    isAtDesk && !isHoldEvent(event) && revision >= BigInt(from) && revision <= BigInt(until)
      ? [{ id, event, revision: Number(revision) }]
      : [],
  );
}

/** Which borrows the visit was about. */
export function borrowsOf(asked: AskedVisit, events: readonly VisitEvent[]): string[] {
  return doneIn(asked, events).map(({ event }) => event.data.borrowId);
}

/** Whether these events, the newest of a stream, are all that the letter of a visit is decided from beside the borrows. */
export function isEnoughForVisit(asked: AskedVisit, newest: readonly VisitEvent[]): boolean {
  const [first] = newest;
  if (!first || first.revision > BigInt(asked.from)) return false;
  return doneIn(asked, newest).every((done) => {
    const letter = askedFor(done);
    return !letter || hasEnoughFor(letter, newest);
  });
}

/** The letter that would tell of an event by itself. */
function askedFor({ id, event: { type, data } }: Done): AskedLetter | undefined {
  const { letter } = BORROW_EVENTS[type];
  return letter === null || letter === 'books-issued'
    ? undefined
    : { kind: letter, cause: id, borrowId: data.borrowId };
}

/**
 * What the letter of a visit says, by the current log: what came of the visit, without what was undone again.
 * @param borrows of the reader: those of the visit, and all that are not over
 * @param events the reader's, in order; of the newest as many as `isEnoughForVisit` wants
 * @param now ISO 8601 in UTC
 * @returns nothing if nothing came of it
 * @throws LetterWithoutEvent
 */
export function decideVisit(
  asked: AskedVisit,
  borrows: ReadonlyMap<string, Borrow>,
  events: readonly VisitEvent[],
  now: string,
  rules: BorrowRules,
): VisitLetter | undefined {
  const undone = new Set(events.flatMap(({ event: { data } }) => ('revision' in data ? data.revision : [])));
  const left = doneIn(asked, events).filter(({ revision, event: { data } }) => {
    const isOfVisit = 'revision' in data && data.revision >= asked.from;
    return !undone.has(revision) && !isOfVisit;
  });
  const [first] = left;
  const parts = [
    ...lent(left, borrows, rules),
    ...returned(left, borrows),
    ...left.flatMap((done, at) => others(done, left.slice(0, at), borrows, events, now, rules)),
  ];
  if (!first || parts.length === 0) return undefined;
  const open = [...borrows.values()];
  return {
    at: borrowEventTime(first.event),
    parts,
    waiting: open.flatMap((borrow) => {
      const titles = titlesOf(reservedBooks(borrow));
      const { collectBy } = borrow;
      return titles.length > 0 && !isOver(collectBy, now, rules) ? [{ titles, collectBy }] : [];
    }),
    owes: open.reduce((sum, borrow) => sum + fineDue(borrow), 0),
  };
}

const titlesOf = (books: readonly { title: string }[]) => books.map(({ title }) => title);

/** What was handed over and is still out: together, where it is due on one day. */
function lent(
  done: readonly Done[],
  borrows: ReadonlyMap<string, Borrow>,
  rules: BorrowRules,
): VisitLetter['parts'] {
  const handed = new Map<string, Set<number>>();
  for (const { event } of done) {
    if (event.type !== 'BooksIssued') continue;
    const { borrowId, bookIds } = event.data;
    handed.set(borrowId, new Set([...(handed.get(borrowId) ?? []), ...bookIds]));
  }
  const parts = new Map<string, Extract<BorrowLetter, { kind: 'books-issued' }>>();
  for (const [borrowId, bookIds] of handed) {
    const borrow = borrows.get(borrowId);
    const titles = titlesOf(borrow?.books.filter((book) => bookIds.has(book.bookId) && isLent(book)) ?? []);
    if (!borrow?.dueDate || titles.length === 0) continue;
    const renewalsLeft = Math.max(0, renewalsOf(borrow, rules) - borrow.renewals);
    const key = `${borrow.dueDate} ${renewalsLeft}`;
    const known = parts.get(key);
    if (known) known.titles.push(...titles);
    else parts.set(key, { kind: 'books-issued', titles, dueDate: borrow.dueDate, renewalsLeft });
  }
  return [...parts.values()].map((part) => ({ part }));
}

/** What came back, all together. */
function returned(done: readonly Done[], borrows: ReadonlyMap<string, Borrow>): VisitLetter['parts'] {
  const titles = done.flatMap(({ event: { type, data } }) =>
    type === 'BooksReturned' || type === 'BooksTakenBack'
      ? titlesAmong(borrows.get(data.borrowId), data.bookIds)
      : [],
  );
  return titles.length > 0 ? [{ part: { kind: 'books-returned', titles } }] : [];
}

function titlesAmong(borrow: Borrow | undefined, bookIds: readonly number[]): string[] {
  return titlesOf(borrow?.books.filter(({ bookId }) => bookIds.includes(bookId)) ?? []);
}

/** @param before what was done before it: a borrow is renewed, and a late fee told of, once */
function others(
  done: Done,
  before: readonly Done[],
  borrows: ReadonlyMap<string, Borrow>,
  events: readonly VisitEvent[],
  now: string,
  rules: BorrowRules,
): VisitLetter['parts'] {
  const { type, data } = done.event;
  const borrow = borrows.get(data.borrowId);
  const isRepeat = before.some(({ event }) => event.type === type && event.data.borrowId === data.borrowId);
  if (!borrow || (isRepeat && (type === 'BorrowRenewed' || type === 'FineCharged'))) return [];
  const own = ownPart(done.event, borrow, rules);
  if (own) return own.titles.length > 0 ? [withCorrected(done.event, own)] : [];
  const asked = askedFor(done);
  const part = asked && decideLetter(asked, borrow, events, now, rules);
  return part ? [withCorrected(done.event, part)] : [];
}

/** With the event that it takes back, where it takes back one. */
function withCorrected({ data }: BorrowEvent, part: VisitPart): VisitLetter['parts'][number] {
  return 'revision' in data ? { part, corrects: data.revision } : { part };
}

/** What is told of an event that has no letter of its own. */
const OWN_PARTS: {
  [Type in BorrowEventType]?: (
    data: BorrowEvent<Type>['data'],
    borrow: Borrow,
    rules: BorrowRules,
  ) => DoneAtDesk;
} = {
  BorrowRenewed: ({ dueDate }, borrow, rules) => ({
    kind: 'borrow-renewed',
    titles: titlesOf(lentBooks(borrow)),
    dueDate: borrow.dueDate ?? dueDate,
    renewalsLeft: Math.max(0, renewalsOf(borrow, rules) - borrow.renewals),
  }),
  FeeWaived: ({ amount }, borrow) => ({
    kind: 'fee-waived',
    titles: titlesOf(borrow.books),
    amount,
    due: fineDue(borrow),
  }),
  WaiverUndone: ({ amount, undoneAt }, borrow) => ({
    kind: 'waiver-undone',
    titles: titlesOf(borrow.books),
    amount,
    due: fineDue(borrow),
    undoneAt,
  }),
  ReturnUndone: ({ bookIds, undoneAt }, { books, dueDate }) => {
    const back = books.filter((book) => bookIds.includes(book.bookId) && isLent(book));
    return { kind: 'return-undone', titles: titlesOf(back), dueDate, undoneAt };
  },
};

function ownPart<Type extends BorrowEventType>(
  { type, data }: { type: Type; data: BorrowEvent<Type>['data'] },
  borrow: Borrow,
  rules: BorrowRules,
): DoneAtDesk | undefined {
  return OWN_PARTS[type]?.(data, borrow, rules);
}
