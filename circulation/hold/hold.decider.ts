import * as m from '#words/messages.js';
import { DomainError } from '#contracts/domain-error.js';
import type { HoldEvent, MoveReason, ReaderEvent } from '#contracts/holds/hold-events.js';
import { endOfDay, localDay, startOfDay } from '#contracts/local-day.js';
import type { BookKind, ReaderKind } from '#contracts/rules/kinds.js';
import type { ReaderBorrows } from '../borrow/borrow-state.js';
import { booksRented } from '../borrow/borrow.decider.js';
import { numbersFor, type BorrowRules, decidedBy } from '../rules/borrow.policy.js';
import { noReadingRoomBook, openBooks } from '../borrow/borrow.rules.js';
import type { Hold } from '../borrow/hold-state.js';

/** The commands on a reader's holds. `at` is the instant of the command, ISO 8601 in UTC; days are the library's. */
export type HoldCommand =
  | {
      type: 'PlaceHold';
      holdId: string;
      readerId: string;
      readerKind?: ReaderKind;
      bookId: number;
      title: string;
      bookKind?: BookKind;
      /** The last day on which they need the book. */
      neededUntil: string | null;
      placedBy: string;
      at: string;
    }
  /** From the day `until` on it waits again. */
  | { type: 'PauseHold'; holdId: string; until: string; pausedBy: string; at: string }
  | { type: 'ResumeHold'; holdId: string; resumedBy: string; at: string }
  | { type: 'ChangeNeededUntil'; holdId: string; day: string | null; changedBy: string; at: string }
  | {
      type: 'MoveHold';
      holdId: string;
      /** Of the same title, as was looked up beforehand. */
      before: string | null;
      reason: MoveReason;
      movedBy: string;
      at: string;
    }
  | { type: 'CancelHold'; holdId: string; cancelledBy: string; at: string }
  /** A copy was bound to the hold, as it was at `asOf`. Kinds are those of now. */
  | {
      type: 'ReadyHold';
      holdId: string;
      readerId: string;
      readerKind?: ReaderKind;
      bookKind?: BookKind;
      borrowId: string;
      asOf: number;
      at: string;
    }
  /** The copy that is kept is needed otherwise. */
  | { type: 'SetBackHold'; holdId: string; setBackBy: string; at: string }
  /** Its pause, or the day until which it was needed, may be over. */
  | { type: 'ReviewHold'; holdId: string; at: string };

/**
 * Decides the events of a command.
 * @returns the events to store; none if there is nothing to do
 * @throws DomainError of the rule that refuses the command
 */
export function decideHold(state: ReaderBorrows, command: HoldCommand, rules: BorrowRules): ReaderEvent[] {
  switch (command.type) {
    case 'PlaceHold':
      return place(state, command, rules);
    case 'PauseHold':
      return pause(waitingHold(state, command.holdId), command, rules);
    case 'ResumeHold':
      return resume(waitingHold(state, command.holdId), command);
    case 'ChangeNeededUntil':
      return changeNeededUntil(waitingHold(state, command.holdId), command, rules);
    case 'MoveHold':
      return move(waitingHold(state, command.holdId), command);
    case 'CancelHold':
      return cancel(knownHold(state, command.holdId), command);
    case 'ReadyHold':
      return makeReady(state, command, rules);
    case 'SetBackHold':
      return setBack(knownHold(state, command.holdId), command);
    case 'ReviewHold':
      return review(state.holds.get(command.holdId), command);
  }
}

type Of<Type extends HoldCommand['type']> = Extract<HoldCommand, { type: Type }>;

function place(state: ReaderBorrows, command: Of<'PlaceHold'>, rules: BorrowRules): ReaderEvent[] {
  const { holdId, readerId, readerKind, bookId, title, bookKind, placedBy, at } = command;
  const holds = [...state.holds.values()];
  const known = holds.find((hold) => hold.bookId === bookId);
  if (known?.state === 'ready') {
    throw new DomainError('AlreadyOnHold', m.holds_refused_kept({ title }));
  }
  if (known) throw new DomainError('AlreadyOnHold', m.holds_refused_reserved({ title }));
  if (openBooks(state).includes(bookId)) {
    throw new DomainError('BookAlreadyBorrowed', m.holds_refused_has_it({ title }));
  }
  noReadingRoomBook([{ title, ...(bookKind && { kind: bookKind }) }], 'reserved');
  const most = numbersFor(rules, readerKind).maxHolds;
  if (holds.filter((hold) => hold.state !== 'ready').length >= most) {
    throw new DomainError('TooManyHolds', m.holds_refused_too_many({ most }));
  }
  const neededUntil = endOfNeed(command.neededUntil, at, rules);
  return [
    {
      type: 'HoldPlaced',
      data: {
        ...{ holdId, readerId, bookId, title, neededUntil, placedBy },
        ...(bookKind && bookKind !== 'loanable' && { bookKind }),
        ...{ placedAt: at, ...decidedBy(rules, readerKind) },
      },
    },
  ];
}

function pause(hold: Hold, { until, pausedBy, at }: Of<'PauseHold'>, { timeZone }: BorrowRules): HoldEvent[] {
  if (until <= localDay(at, timeZone)) {
    throw new DomainError('DayPassed', m.holds_day_after_today());
  }
  const instant = new Date(startOfDay(until, timeZone)).toISOString();
  if (hold.pausedUntil === instant) return [];
  return [{ type: 'HoldPaused', data: { holdId: hold.id, until: instant, pausedBy, pausedAt: at } }];
}

function resume(hold: Hold, { resumedBy, at }: Of<'ResumeHold'>): HoldEvent[] {
  if (hold.state !== 'paused') throw new DomainError('HoldNotPaused', m.holds_not_paused());
  return [{ type: 'HoldResumed', data: { holdId: hold.id, resumedBy, resumedAt: at } }];
}

function changeNeededUntil(
  hold: Hold,
  { day, changedBy, at }: Of<'ChangeNeededUntil'>,
  rules: BorrowRules,
): HoldEvent[] {
  const neededUntil = endOfNeed(day, at, rules);
  if (neededUntil === hold.neededUntil) return [];
  return [{ type: 'HoldNeededUntil', data: { holdId: hold.id, neededUntil, changedBy, changedAt: at } }];
}

function move(hold: Hold, { before, reason, movedBy, at }: Of<'MoveHold'>): HoldEvent[] {
  if (before === hold.id) throw moveImpossible();
  return [{ type: 'HoldMoved', data: { holdId: hold.id, before, reason, movedBy, movedAt: at } }];
}

export function moveImpossible(): DomainError {
  return new DomainError('MoveImpossible', m.holds_move_impossible());
}

/** With the rent of one that is ready, the hold is cancelled (`holds-following.ts`). */
function cancel({ id: holdId, borrowId, bookId }: Hold, command: Of<'CancelHold'>): ReaderEvent[] {
  const cancelled = { cancelledBy: command.cancelledBy, cancelledAt: command.at };
  if (borrowId === null) return [{ type: 'HoldCancelled', data: { holdId, ...cancelled } }];
  return [{ type: 'RentCancelled', data: { borrowId, bookIds: [bookId], ...cancelled } }];
}

/**
 * What a rent is asked for is not asked here: the copy is kept for who waited, and issuing asks for fees as always. A book that
 * is for the reading room only since is lent to them all the same, as what it was when they reserved it.
 */
function makeReady(state: ReaderBorrows, command: Of<'ReadyHold'>, rules: BorrowRules): ReaderEvent[] {
  const { holdId, readerId, readerKind, borrowId, asOf, at } = command;
  const hold = knownHold(state, holdId);
  if (hold.borrowId === borrowId) return [];
  if (hold.state !== 'waiting' || hold.revision !== asOf) {
    throw new DomainError('ConcurrentChange', m.holds_being_changed());
  }
  if (isPast(hold.neededUntil, at)) return [notNeeded(holdId, 'day-passed', at)];
  if (openBooks(state).includes(hold.bookId)) return [notNeeded(holdId, 'has-the-book', at)];
  const { bookId, title } = hold;
  const kind = command.bookKind === 'reading-room' ? hold.bookKind : command.bookKind;
  const books = [{ bookId, title, ...(kind && kind !== 'loanable' && { kind }) }];
  const rented = booksRented({ borrowId, readerId, ...(readerKind && { readerKind }), books, at }, rules);
  const { collectBy } = rented.data;
  return [
    {
      type: 'HoldReady',
      data: { holdId, borrowId, collectBy, readyAt: at, ...decidedBy(rules, readerKind) },
    },
    rented,
  ];
}

/** The rent goes, and with it the copy: the reader waits again where they waited before. */
function setBack(hold: Hold, { setBackBy, at }: Of<'SetBackHold'>): ReaderEvent[] {
  const { id: holdId, borrowId, bookId } = hold;
  if (borrowId === null) return [];
  return [
    { type: 'HoldSetBack', data: { holdId, borrowId, setBackBy, setBackAt: at } },
    { type: 'RentCancelled', data: { borrowId, bookIds: [bookId], cancelledBy: setBackBy, cancelledAt: at } },
  ];
}

function review(hold: Hold | undefined, { holdId, at }: Of<'ReviewHold'>): HoldEvent[] {
  if (!hold || hold.state === 'ready') return [];
  if (isPast(hold.neededUntil, at)) return [notNeeded(holdId, 'day-passed', at)];
  if (hold.pausedUntil === null || Date.parse(hold.pausedUntil) > Date.parse(at)) return [];
  return [{ type: 'HoldResumed', data: { holdId, resumedBy: null, resumedAt: at } }];
}

function notNeeded(
  holdId: string,
  reason: HoldEvent<'HoldNoLongerNeeded'>['data']['reason'],
  endedAt: string,
): HoldEvent {
  return { type: 'HoldNoLongerNeeded', data: { holdId, reason, endedAt } };
}

function isPast(end: string | null, at: string): boolean {
  return end !== null && Date.parse(end) < Date.parse(at);
}

/** The last instant of the day. */
function endOfNeed(day: string | null, at: string, { timeZone }: BorrowRules): string | null {
  if (day === null) return null;
  if (day < localDay(at, timeZone)) {
    throw new DomainError('DayPassed', m.holds_last_day_passed());
  }
  return new Date(endOfDay(day, timeZone)).toISOString();
}

function knownHold(state: ReaderBorrows, holdId: string): Hold {
  const hold = state.holds.get(holdId);
  if (!hold) throw new DomainError('HoldNotFound', m.holds_not_found());
  return hold;
}

/** @throws DomainError HoldNotFound; HoldReady where a copy is kept already */
function waitingHold(state: ReaderBorrows, holdId: string): Hold {
  const hold = knownHold(state, holdId);
  if (hold.state === 'ready') {
    throw new DomainError('HoldReady', m.holds_already_ready({ title: hold.title }));
  }
  return hold;
}
