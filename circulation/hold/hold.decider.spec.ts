import { randomUUID } from 'node:crypto';
import { BORROW_EVENTS } from '#contracts/borrowing/borrow-events.js';
import { HOLD_EVENTS, type HoldEvent, type ReaderEvent } from '#contracts/holds/hold-events.js';
import type { BookKind } from '#contracts/rules/kinds.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { refusalOf } from '../../test-support/product/decider-specification.js';
import { evolve, fold, NO_BORROWS, type ReaderBorrows } from '../borrow/borrow-state.js';
import { decide, type BorrowCommand } from '../borrow/borrow.decider.js';
import { BORROW_POLICY, borrowRules, policyOfVersion, rulesIn } from '../rules/borrow.policy.js';
import { estimateDays } from './hold-estimate.js';
import { decideHold, type HoldCommand } from './hold.decider.js';
import { EventWithoutHold, withFollowingHoldEvents } from '../borrow/hold-state.js';

const RULES = borrowRules('Europe/Warsaw');
const [READER, LIBRARIAN, HOLD] = [randomUUID(), randomUUID(), randomUUID()];
const AT = '2026-11-23T09:00:00.000Z';
const LATER = '2026-11-24T09:00:00.000Z';

const place = (bookId = 1, more: Partial<Extract<HoldCommand, { type: 'PlaceHold' }>> = {}): HoldCommand => ({
  ...{ type: 'PlaceHold', holdId: HOLD, readerId: READER, bookId, title: 'Solaris' },
  ...{ neededUntil: null, placedBy: READER, at: AT },
  ...more,
});
/** Each of them holds to its schema. */
function stored(state: ReaderBorrows, decided: ReaderEvent[]): ReaderEvent[] {
  const events = withFollowingHoldEvents(state, decided);
  for (const { type, data } of events)
    expect({ ...BORROW_EVENTS, ...HOLD_EVENTS }[type].data.parse(data)).toEqual(data);
  return events;
}
const onHold = (command: HoldCommand, state: ReaderBorrows) =>
  stored(state, decideHold(state, command, RULES));
const onBorrow = (command: BorrowCommand, state: ReaderBorrows) =>
  stored(state, decide(state, command, RULES));
const after = (...commands: (HoldCommand | BorrowCommand)[]) =>
  commands.reduce(
    (state, command) => fold('holdId' in command ? onHold(command, state) : onBorrow(command, state), state),
    NO_BORROWS,
  );
const typesOf = (events: readonly ReaderEvent[]) => events.map(({ type }) => type);
const codeOf = (work: () => unknown) => refusalOf(work)?.code;
const ready = (state: ReaderBorrows, borrowId = HOLD): HoldCommand => ({
  ...{ type: 'ReadyHold', holdId: HOLD, readerId: READER, borrowId, at: LATER },
  asOf: state.holds.get(HOLD)?.revision ?? -1,
});

describe('a hold', () => {
  it('that becomes ready is a rent, and is collected, lapses or is cancelled with it', () => {
    const placed = after(place());
    const events = onHold(ready(placed), placed);
    expect(typesOf(events)).toEqual(['HoldReady', 'BooksRented']);
    const kept = fold(events, placed);
    expect(kept.holds.get(HOLD)).toMatchObject({ state: 'ready', borrowId: HOLD });
    expect(kept.borrows.get(HOLD)).toMatchObject({ status: 'Rented', books: [{ bookId: 1 }] });
    // Told again, it is told no more.
    expect(onHold(ready(kept), kept)).toEqual([]);

    const of = { borrowId: HOLD, at: LATER };
    const issue: BorrowCommand = { type: 'IssueBooks', bookIds: [1], librarianId: LIBRARIAN, ...of };
    expect(typesOf(onBorrow(issue, kept))).toEqual(['BooksIssued', 'HoldCollected']);
    const cancel: BorrowCommand = { type: 'CancelRent', cancelledBy: READER, ...of };
    expect(onBorrow(cancel, kept)).toMatchObject([
      { type: 'RentCancelled' },
      { type: 'HoldCancelled', data: { cancelledBy: READER } },
    ]);
    const cancelHold: HoldCommand = { type: 'CancelHold', holdId: HOLD, cancelledBy: READER, at: LATER };
    expect(typesOf(onHold(cancelHold, kept))).toEqual(['RentCancelled', 'HoldCancelled']);
    const expire: BorrowCommand = { type: 'ExpireBorrow', ...of, at: '2026-11-29T09:00:00.000Z' };
    const lapsed = onBorrow(expire, kept);
    expect(typesOf(lapsed)).toEqual(['BorrowExpired', 'HoldLapsed']);
    expect(fold(lapsed, kept).holds.size).toBe(0);
  });

  it('that is set back waits again, and becomes ready by another rent', () => {
    const placed = after(place());
    const kept = fold(onHold(ready(placed), placed), placed);
    const setBack = onHold({ type: 'SetBackHold', holdId: HOLD, setBackBy: LIBRARIAN, at: LATER }, kept);
    expect(typesOf(setBack)).toEqual(['HoldSetBack', 'RentCancelled']);
    const waiting = fold(setBack, kept);
    expect(waiting.holds.get(HOLD)).toMatchObject({ state: 'waiting', borrowId: null });
    expect(waiting.borrows.get(HOLD)?.status).toBe('Expired');
    const second = randomUUID();
    expect(fold(onHold(ready(waiting, second), waiting), waiting).borrows.get(second)?.status).toBe('Rented');
  });

  it('is told of a copy only as it was when the copy was bound', () => {
    const placed = after(place());
    const bound = ready(placed);
    const pause: HoldCommand = {
      type: 'PauseHold',
      holdId: HOLD,
      until: '2026-12-01',
      pausedBy: READER,
      at: AT,
    };
    const paused = fold(onHold(pause, placed), placed);
    expect(paused.holds.get(HOLD)).toMatchObject({
      state: 'paused',
      pausedUntil: '2026-11-30T23:00:00.000Z',
    });
    expect(codeOf(() => onHold(bound, paused))).toBe('ConcurrentChange');
    const resume: HoldCommand = { type: 'ResumeHold', holdId: HOLD, resumedBy: READER, at: AT };
    const resumed = fold(onHold(resume, paused), paused);
    expect(codeOf(() => onHold(bound, resumed))).toBe('ConcurrentChange');
    expect(typesOf(onHold(ready(resumed), resumed))).toEqual(['HoldReady', 'BooksRented']);
  });

  it('ends by itself when its day is over or the reader has the book, and its pause ends', () => {
    const needed = after(place(1, { neededUntil: '2026-11-23' }));
    const review = (at: string): HoldCommand => ({ type: 'ReviewHold', holdId: HOLD, at });
    expect(onHold(review('2026-11-23T22:59:59.999Z'), needed)).toEqual([]);
    expect(onHold(review('2026-11-23T23:00:00.000Z'), needed)).toMatchObject([
      { type: 'HoldNoLongerNeeded', data: { reason: 'day-passed' } },
    ]);
    expect(typesOf(onHold(ready(needed), needed))).toEqual(['HoldNoLongerNeeded']);

    const placed = after(place());
    const rent: BorrowCommand = {
      ...{ type: 'RentBooks', borrowId: randomUUID(), readerId: READER, at: LATER },
      books: [1, 2].map((bookId) => ({ bookId, title: 'Solaris' })),
    };
    expect(onBorrow(rent, placed)).toMatchObject([
      { type: 'BooksRented' },
      { type: 'HoldNoLongerNeeded', data: { reason: 'has-the-book' } },
    ]);

    const pause: HoldCommand = {
      type: 'PauseHold',
      holdId: HOLD,
      until: '2026-11-24',
      pausedBy: READER,
      at: AT,
    };
    const paused = after(place(), pause);
    expect(onHold(review('2026-11-23T22:59:59.000Z'), paused)).toEqual([]);
    expect(typesOf(onHold(review('2026-11-23T23:00:00.000Z'), paused))).toEqual(['HoldResumed']);
  });

  it('is refused beyond the limit, and for a day that has passed', () => {
    const many = after(...Array.from({ length: 10 }, (_, n) => place(n + 1, { holdId: randomUUID() })));
    expect(codeOf(() => onHold(place(99, { holdId: randomUUID() }), many))).toBe('TooManyHolds');
    expect(codeOf(() => onHold(place(1, { neededUntil: '2026-11-22' }), NO_BORROWS))).toBe('DayPassed');
  });

  it('is for as many titles as the reader’s kind may wait for, and for none of the reading room', () => {
    const exceptions: RuleSet['exceptions'] = [
      { reader: 'child', book: null, numbers: { maxHolds: 1, collectDays: 9 } },
    ];
    const rules = rulesIn('Europe/Warsaw', { ...BORROW_POLICY, version: 2, exceptions }, policyOfVersion);
    const asChild = { readerKind: 'child', bookKind: 'short-loan' } as const;
    const events = decideHold(NO_BORROWS, place(1, asChild), rules);
    expect(events).toMatchObject([{ data: { policyVersion: 2, ...asChild } }]);
    const placed = fold(events);
    const second = { holdId: randomUUID() };
    expect(codeOf(() => decideHold(placed, place(2, { ...second, ...asChild }), rules))).toBe('TooManyHolds');
    expect(typesOf(decideHold(placed, place(2, second), rules))).toEqual(['HoldPlaced']);
    expect(codeOf(() => decideHold(NO_BORROWS, place(1, { bookKind: 'reading-room' }), rules))).toBe(
      'ReadingRoomOnly',
    );

    // What the book is when its copy comes, but what was promised where it is not lent any more.
    const kindsOf = (bookKind: BookKind) =>
      decideHold(placed, { ...ready(placed), readerKind: 'child', bookKind } as HoldCommand, rules);
    expect(kindsOf('reading-room')).toMatchObject([
      { type: 'HoldReady', data: { readerKind: 'child', collectBy: '2026-12-03T22:59:59.999Z' } },
      {
        type: 'BooksRented',
        data: { readerKind: 'child', books: [{ kind: 'short-loan' }], policyVersion: 2 },
      },
    ]);
    expect(kindsOf('loanable')[1]?.data).toMatchObject({ books: [{ bookId: 1, title: 'Solaris' }] });
  });

  describe('at the command of its reader or a librarian', () => {
    const of = { holdId: HOLD, at: LATER };
    const pause = (until: string): HoldCommand => ({ type: 'PauseHold', until, pausedBy: READER, ...of });
    const resume: HoldCommand = { type: 'ResumeHold', resumedBy: READER, ...of };
    const needed = (day: string | null): HoldCommand => ({
      ...{ type: 'ChangeNeededUntil', day, changedBy: READER },
      ...of,
    });
    const move = (before: string | null): HoldCommand => ({
      ...{ type: 'MoveHold', before, reason: 'urgent', movedBy: LIBRARIAN },
      ...of,
    });
    const cancel: HoldCommand = { type: 'CancelHold', cancelledBy: READER, ...of };
    const setBack: HoldCommand = { type: 'SetBackHold', setBackBy: LIBRARIAN, ...of };
    const review: HoldCommand = { type: 'ReviewHold', ...of };
    const waiting = after(place());
    const paused = fold(onHold(pause('2026-11-25'), waiting), waiting);
    const kept = fold(onHold(ready(waiting), waiting), waiting);
    const needsToday = after(place(1, { neededUntil: '2026-11-23' }));
    const keptTooLong = fold(onHold({ ...ready(needsToday), at: AT }, needsToday), needsToday);

    it.each<[what: string, state: ReaderBorrows, command: HoldCommand, outcome: string | string[]]>([
      ['pauses until a day after today', waiting, pause('2026-11-25'), ['HoldPaused']],
      ['does not pause until today', waiting, pause('2026-11-24'), 'DayPassed'],
      ['does not pause twice until the same day', paused, pause('2026-11-25'), []],
      ['pauses until another day', paused, pause('2026-11-26'), ['HoldPaused']],
      ['resumes', paused, resume, ['HoldResumed']],
      ['does not resume what is not paused', waiting, resume, 'HoldNotPaused'],
      ['is needed until a day', waiting, needed('2026-11-24'), ['HoldNeededUntil']],
      ['is not needed until a day that has passed', waiting, needed('2026-11-23'), 'DayPassed'],
      ['is needed without end as before', waiting, needed(null), []],
      ['moves to the end', waiting, move(null), ['HoldMoved']],
      ['moves before another', waiting, move(randomUUID()), ['HoldMoved']],
      ['does not move before itself', waiting, move(HOLD), 'MoveImpossible'],
      ['is cancelled', waiting, cancel, ['HoldCancelled']],
      ['is not set back where no copy is kept', waiting, setBack, []],
      ['is not reviewed where a copy is kept', kept, review, []],
      ['is not reviewed where a copy is kept, nor when its day is over', keptTooLong, review, []],
      ['is not reviewed where there is none', NO_BORROWS, review, []],
      ['does not pause where a copy is kept', kept, pause('2026-11-25'), 'HoldReady'],
      ['does not move where a copy is kept', kept, move(null), 'HoldReady'],
      ['is not paused where there is none', NO_BORROWS, pause('2026-11-25'), 'HoldNotFound'],
      ['is not cancelled where there is none', NO_BORROWS, cancel, 'HoldNotFound'],
    ])('%s', (_what, state, command, outcome) => {
      const told = () => typesOf(onHold(command, state));
      expect(typeof outcome === 'string' ? codeOf(told) : told()).toEqual(outcome);
    });

    it('says of a title whose copy is kept that it is, and of none that the reader has', () => {
      const again = place(1, { holdId: randomUUID() });
      const refused = (state: ReaderBorrows) => refusalOf(() => onHold(again, state));
      const code = 'AlreadyOnHold';
      expect(refused(kept)).toMatchObject({
        code,
        words: expect.stringContaining('already kept at the desk'),
      });
      expect(refused(waiting)).toMatchObject({ code, words: expect.stringContaining('already reserved') });
      const rent: BorrowCommand = {
        ...{ type: 'RentBooks', borrowId: randomUUID(), readerId: READER, at: AT },
        books: [{ bookId: 1, title: 'Solaris' }],
      };
      expect(codeOf(() => onHold(place(), fold(decide(NO_BORROWS, rent, RULES))))).toBe(
        'BookAlreadyBorrowed',
      );
      // Rented a moment before the copy was bound.
      expect(onHold(ready(waiting), fold(decide(waiting, rent, RULES), waiting))).toMatchObject([
        { type: 'HoldNoLongerNeeded', data: { reason: 'has-the-book' } },
      ]);
    });

    it('names the kind of its book and of its reader only where they are not the usual ones', () => {
      for (const kind of [{}, { bookKind: 'loanable' as const }]) {
        const [placed] = decideHold(NO_BORROWS, place(1, kind), RULES);
        expect(Object.keys(placed?.data ?? {})).not.toContain('bookKind');
        const [, rented] = decideHold(waiting, { ...ready(waiting), ...kind }, RULES);
        expect(rented?.data).toHaveProperty('books', [{ bookId: 1, title: 'Solaris' }]);
        expect(JSON.stringify(rented)).toContain('"books":[{"bookId":1,"title":"Solaris"}]');
      }
      const [, rented] = decideHold(waiting, ready(waiting), RULES);
      expect(rented?.data).toMatchObject({ books: [{ bookId: 1, title: 'Solaris' }] });
      expect(Object.keys(rented?.data ?? {})).not.toContain('readerKind');
    });
  });

  it('does not let a loan be renewed while somebody waits', () => {
    const borrowId = randomUUID();
    const books = [{ bookId: 1, title: 'Solaris' }];
    const lend: BorrowCommand = {
      ...{ type: 'LendBooks', borrowId, readerId: READER, books },
      ...{ librarianId: LIBRARIAN, at: AT },
    };
    const lent = after(lend);
    const renew = { type: 'RenewBorrow' as const, borrowId, renewedBy: READER, at: LATER };
    expect(codeOf(() => onBorrow({ ...renew, waitedFor: ['Solaris'] }, lent))).toBe('SomebodyWaits');
    expect(typesOf(onBorrow({ ...renew, waitedFor: [] }, lent))).toEqual(['BorrowRenewed']);
  });

  it('cannot be folded from an event without its beginning', () => {
    const event: HoldEvent = {
      type: 'HoldCancelled',
      data: { holdId: HOLD, cancelledBy: READER, cancelledAt: AT },
    };
    expect(() => evolve(NO_BORROWS, event)).toThrow(EventWithoutHold);
  });
});

describe('the estimate', () => {
  const due = (day: number, isKept = false) => ({ until: `2026-11-${day}T22:59:59.999Z`, isKept });
  const estimate = (out: { until: string; isKept: boolean }[], ahead: number) =>
    estimateDays(out, ahead, AT, RULES);

  it('counts the days until a copy is back for who stands so far behind', () => {
    expect(estimate([due(25), due(28)], 0)).toBe(2);
    expect(estimate([due(25), due(28)], 1)).toBe(5);
    expect(estimate([due(25), due(28)], 2)).toBe(16);
    expect(estimate([due(25, true)], 0)).toBe(16);
  });

  it('says nothing by what is overdue', () => {
    expect(estimate([due(20)], 0)).toBeNull();
    expect(estimate([due(20), due(25)], 1)).toBe(16);
    expect(estimate([], 0)).toBeNull();
  });
});
