import type { HoldEvent, ReaderEvent } from '#contracts/holds/hold-events.js';
import { addDays, startOfDay } from '#contracts/local-day.js';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import type { SimulationAnswer } from '#contracts/rules/what-if.js';
import {
  DAYS,
  FIRST,
  runLibrary,
  ZONE,
  type Plan,
} from '../../test-support/arbitraries/simulated-library.js';
import { BORROW_POLICY } from '../rules/borrow.policy.js';
import { RuleBook, ruleSetOf } from '../rules/rule-book.js';
import { Simulation } from './simulation.js';

const RULES: RuleSet = { ...ruleSetOf(BORROW_POLICY), collectDays: 3, maxHolds: 2 };
const idOf = (n: number) => `0b54c0de-7f2a-4d0e-9d5e-${String(n).padStart(12, '0')}`;

function answerTo(
  rules: RuleSet,
  timeZone: string,
  days: { from: string; days: number },
  events: Iterable<readonly [reader: string, event: ReaderEvent]>,
): SimulationAnswer {
  const instant = (day: string) => new Date(startOfDay(day, timeZone)).toISOString();
  const span = { from: instant(days.from), until: instant(addDays(days.from, days.days)) };
  const simulation = new Simulation({ rules, timeZone, ...span }, RuleBook.empty);
  const revisions = new Map<string, number>();
  for (const [reader, event] of events) {
    const revision = revisions.get(reader) ?? 0;
    simulation.add(reader, event, revision);
    revisions.set(reader, revision + 1);
  }
  return simulation.finish().answer;
}

describe('who would have owed a fee', () => {
  const LATE_DAYS = 114;
  const step = { book: 0, part: 1, undone: false, after: 0 };
  /** Of two books one is lost, paid and found on the same day; the other one stays, and the reader rents again. */
  const plans: Plan[] = [
    {
      ...{ reader: 1, start: 0, short: [false, false] },
      steps: (['issue', 'lose', 'pay', 'find'] as const).map((what) => ({ ...step, what })),
    },
    { reader: 1, start: LATE_DAYS + 1, short: [false], steps: [] },
  ];
  const rules = { ...RULES, loanDays: 1, finePerBookAndDay: 1, lossFee: 0 };
  const limitsWith = (lossPrice: number) => {
    const events = [...runLibrary(plans, RuleBook.empty)].flatMap(([reader, all]) =>
      all.map((event) => [reader, event] as const),
    );
    expect(events.filter(([, { type }]) => type === 'BooksRented')).toHaveLength(2);
    return answerTo({ ...rules, lossPrice }, ZONE, { from: FIRST, days: DAYS }, events).limits;
  };

  it('is nobody whose fee is covered by what they have paid for a book that was found again', () => {
    expect(limitsWith(LATE_DAYS).fees).toEqual({ times: 0, readers: 0 });
  });

  it('is who has paid a grosz less than that', () => {
    expect(limitsWith(LATE_DAYS - 1).fees).toEqual({ times: 1, readers: 1 });
  });
});

describe('holds under other rules', () => {
  const [ANNA, BORIS, CELINA] = [idOf(1), idOf(2), idOf(3)] as const;
  const ofDay = (day: number, time: string) => `2026-03-${String(day).padStart(2, '0')}T${time}.000Z`;
  const endOf = (day: number) => ofDay(day, '23:59:59').replace('.000Z', '.999Z');
  const of = (reader: string, event: ReaderEvent) => [reader, event] as const;
  const rented = (reader: string, borrow: number, day: number, time = '09:00:00') =>
    of(reader, {
      type: 'BooksRented',
      data: {
        ...{ borrowId: idOf(borrow), readerId: reader, books: [{ bookId: 1, title: 'A book' }] },
        ...{ rentedAt: ofDay(day, time), collectBy: endOf(day + 3), policyVersion: 1 },
      },
    });
  const expired = (reader: string, borrow: number, day: number) =>
    of(reader, {
      type: 'BorrowExpired',
      data: { borrowId: idOf(borrow), bookIds: [1], expiredAt: ofDay(day, '00:01:00') },
    });
  const issued = (reader: string, borrow: number, day: number) =>
    of(reader, {
      type: 'BooksIssued',
      data: {
        ...{ borrowId: idOf(borrow), bookIds: [1], copies: [], issuedBy: idOf(9) },
        ...{ issuedAt: ofDay(day, '09:00:00'), dueDate: endOf(day + 14), policyVersion: 1 },
      },
    });
  const placed = (reader: string, hold: number, day: number, bookId = 1) =>
    of(reader, {
      type: 'HoldPlaced',
      data: {
        ...{ holdId: idOf(hold), readerId: reader, bookId, title: 'A book', neededUntil: null },
        ...{ placedBy: reader, placedAt: ofDay(day, '09:00:00'), policyVersion: 1 },
      },
    });
  const ready = (reader: string, hold: number, borrow: number, day: number, time = '00:02:00') => [
    of(reader, {
      type: 'HoldReady',
      data: {
        ...{ holdId: idOf(hold), borrowId: idOf(borrow), collectBy: endOf(day + 3) },
        ...{ readyAt: ofDay(day, time), policyVersion: 1 },
      },
    }),
    rented(reader, borrow, day, time),
  ];
  const answer = (rules: Partial<RuleSet>, events: Iterable<readonly [string, ReaderEvent]>) =>
    answerTo({ ...RULES, ...rules }, 'UTC', { from: '2026-03-01', days: 31 }, events);

  /** Anna does not come for their book, and Boris, who is told of it a minute later, does not come either; then it is Celina's. */
  const inVain = [
    rented(ANNA, 10, 1),
    placed(BORIS, 20, 2),
    placed(CELINA, 30, 3),
    expired(ANNA, 10, 5),
    ...ready(BORIS, 20, 21, 5),
    expired(BORIS, 21, 9),
    of(BORIS, {
      type: 'HoldLapsed',
      data: { holdId: idOf(20), borrowId: idOf(21), lapsedAt: ofDay(9, '00:01:00') },
    }),
    ...ready(CELINA, 30, 31, 9),
    issued(CELINA, 31, 10),
  ];
  /** Boris from the 2nd, 09:00, to the 5th; Celina from the 3rd to the 9th. In hours. */
  const REAL = [63, 135];
  const mean = (one: number, other: number) => (one + other) / 2;

  it('would have waited as long by the same rules', () => {
    const { holds } = answer({}, inVain);
    const waits = { mean: mean(63, 135), median: mean(63, 135) };
    expect(holds).toEqual({ ready: 2, real: waits, simulated: waits, cannotBeTold: 0 });
  });

  it('would have waited less by what the copy would have been kept for less, each time that nobody came', () => {
    const { holds } = answer({ collectDays: 2 }, inVain);
    expect(holds.real?.mean).toBe(mean(63, 135));
    // A day less for Boris, two for Celina.
    expect(holds.simulated?.mean).toBe(mean(63 - 24, 135 - 48));
    expect(holds.cannotBeTold).toBe(0);
  });

  it('cannot be told of where somebody would have had more time to come', () => {
    const { holds, cannotBeTold, expiredRents } = answer({ collectDays: 4 }, inVain);
    expect(holds.cannotBeTold).toBe(REAL.length);
    expect(expiredRents).toEqual({ real: 2, simulated: 0, cannotBeTold: 2 });
    expect(cannotBeTold).toEqual(['collect-days']);
  });

  it('would have waited as long for a copy that was not the one that came free', () => {
    const later = [rented(ANNA, 10, 1), placed(BORIS, 20, 2), expired(ANNA, 10, 5)];
    const { holds } = answer({ collectDays: 2 }, [...later, ...ready(BORIS, 20, 21, 5, '02:00:00')]);
    expect(holds.simulated).toEqual(holds.real);
  });

  it('take no shift from a copy that came free while the hold was paused', () => {
    const pause: HoldEvent = {
      type: 'HoldPaused',
      data: {
        holdId: idOf(20),
        until: ofDay(5, '00:01:30'),
        pausedBy: BORIS,
        pausedAt: ofDay(3, '09:00:00'),
      },
    };
    const { holds } = answer({ collectDays: 2 }, [
      rented(ANNA, 10, 1),
      placed(BORIS, 20, 2),
      of(BORIS, pause),
      expired(ANNA, 10, 5),
      ...ready(BORIS, 20, 21, 5),
    ]);
    expect(holds.simulated).toEqual(holds.real);
  });

  it('meet their limit where the reader waits for as many titles already, those that are ready apart', () => {
    const events = [
      placed(ANNA, 40, 2, 2),
      placed(ANNA, 41, 3, 3),
      placed(BORIS, 42, 3, 3),
      ...ready(ANNA, 40, 43, 4),
      placed(ANNA, 44, 5, 4),
      placed(ANNA, 45, 6, 5),
    ];
    expect(answer({ maxHolds: 2 }, events).limits.holds).toEqual({ times: 1, readers: 1 });
    expect(answer({ maxHolds: 1 }, events).limits.holds).toEqual({ times: 3, readers: 1 });
    expect(answer({ maxHolds: 0 }, events).limits.holds).toEqual({ times: 5, readers: 2 });
    expect(answer({ maxHolds: 3 }, events).limits.holds).toEqual({ times: 0, readers: 0 });
  });
});

describe('what cannot be told, as refusals are not in the log', () => {
  const none: readonly (readonly [string, ReaderEvent])[] = [];
  const looser = (rules: Partial<RuleSet>) =>
    answerTo({ ...ruleSetOf(BORROW_POLICY), ...rules }, 'UTC', { from: '2026-03-01', days: 31 }, none)
      .cannotBeTold;
  const { maxBooksPerReader, maxHolds, maxRenewals, finePerBookAndDay, loanDays } = ruleSetOf(BORROW_POLICY);

  it('is named by the limits that the draft loosens, and by no others', () => {
    expect(looser({})).toEqual([]);
    expect(looser({ maxBooksPerReader: maxBooksPerReader + 1 })).toEqual(['books']);
    expect(looser({ maxHolds: maxHolds + 1 })).toEqual(['holds']);
    expect(looser({ maxRenewals: maxRenewals + 1 })).toEqual(['renewals']);
    expect(looser({ finePerBookAndDay: finePerBookAndDay - 1 })).toEqual(['fees']);
    expect(looser({ loanDays: loanDays + 1 })).toEqual(['fees']);
    expect(
      looser({
        maxBooksPerReader: maxBooksPerReader - 1,
        maxHolds: 0,
        maxRenewals: 0,
        finePerBookAndDay: finePerBookAndDay + 1,
      }),
    ).toEqual([]);
  });

  it('is named where a draft loosens a limit for one kind of reader or book alone', () => {
    const exception = { reader: 'child', book: null, numbers: { maxHolds: maxHolds + 1 } } as const;
    expect(looser({ exceptions: [exception] })).toEqual(['holds']);
    const ofBook = { reader: null, book: 'short-loan', numbers: { maxRenewals: maxRenewals + 1 } } as const;
    expect(looser({ exceptions: [ofBook] })).toEqual(['renewals']);
  });
});
