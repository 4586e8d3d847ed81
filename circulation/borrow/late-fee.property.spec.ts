import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { endOfDay, localDay } from '#contracts/local-day.js';
import { attempts, play } from '../../test-support/arbitraries/borrow-arbitraries.js';
import { BORROW, but, issued, READER, rented } from '../../test-support/arbitraries/borrow-history.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { totalCharged, fold } from './borrow-state.js';
import { decide } from './borrow.decider.js';
import { BORROW_POLICY, borrowRules } from '../rules/borrow.policy.js';
import { explainFee } from './fee-explanation.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const { finePerBookAndDay: RATE, fineCap: CAP } = BORROW_POLICY;
const iso = (time: number) => new Date(time).toISOString();

/** Half an hour's summer, quarters, both sides of the date line, midnights that are skipped or come twice. */
const zones = fc.constantFrom(
  ...['Europe/Warsaw', 'America/New_York', 'America/Santiago', 'America/Havana', 'America/St_Johns'],
  ...['Asia/Beirut', 'Asia/Kathmandu', 'Africa/Cairo', 'Pacific/Apia', 'Pacific/Kiritimati', 'UTC'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'America/Nuuk', 'Etc/GMT+12'],
);

function lent(books: number, due: number): BorrowEvent[] {
  const bookIds = Array.from({ length: books }, (_, n) => n + 1);
  const start = iso(due - 14 * DAY);
  return [
    but(rented(BORROW, bookIds), { rentedAt: start, collectBy: start }),
    but(issued(BORROW, bookIds), { issuedAt: start, dueDate: iso(due) }),
  ];
}

function charged(events: readonly BorrowEvent[], zone: string, at: number): BorrowEvent[] {
  try {
    return decide(fold(events), { type: 'ChargeFine', borrowId: BORROW, at: iso(at) }, borrowRules(zone));
  } catch (error) {
    if (error instanceof DomainError && /NotOverdue|NothingToCharge/.test(error.code)) return [];
    throw error;
  }
}

/** Looked up on the clock every quarter of an hour: how many days have begun after that of the due date. */
function daysBegun(due: number, at: number, zone: string): number {
  const seen = new Set([localDay(due, zone)]);
  for (let time = due; time < at; time += HOUR / 4) seen.add(localDay(time, zone));
  if (at > due) seen.add(localDay(at, zone));
  return seen.size - 1;
}

const dueDates = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
const waits = fc.array(fc.integer({ min: 0, max: 60 * HOUR }), { minLength: 1, maxLength: 9 });

describe('a late fee by the days of the library', () => {
  it('is that of the days that have begun there, never charged twice, never less than before', () => {
    forAll(
      [
        fc.record({
          zone: zones,
          due: dueDates,
          isDayEnd: fc.boolean(),
          books: fc.integer({ min: 1, max: 8 }),
          waits,
        }),
      ],
      { numRuns: 150 },
      ({ zone, due: drawn, isDayEnd, books, waits: between }) => {
        const due = isDayEnd ? endOfDay(localDay(drawn, zone), zone) : drawn;
        const events = lent(books, due);
        let at = due;
        for (const wait of between) {
          at += wait;
          const before = fold(events).borrows.get(BORROW)?.charged ?? 0;
          events.push(...charged(events, zone, at));
          const after = fold(events).borrows.get(BORROW)?.charged ?? 0;
          const byCalendar = Math.min(CAP, daysBegun(due, at, zone) * books * RATE);
          expect(after).toBe(Math.max(before, byCalendar));
          // At once, or at the end of that day: there is nothing more.
          expect(charged(events, zone, at)).toEqual([]);
          expect(charged(events, zone, endOfDay(localDay(at, zone), zone))).toEqual([]);
        }
        const numbered = events.map((event, revision) => ({ revision, event }));
        const fee = explainFee(READER, BORROW, numbered, 'staff', zone);
        expect(fee.charges.every(({ addsUp, amount }) => addsUp === true && amount > 0)).toBe(true);
      },
    );
  });

  it('costs nothing on the day that the reader was told, whatever its hour, and one day’s fee on the next', () => {
    forAll([zones, dueDates, fc.boolean()], {}, (zone, due, isDayEnd) => {
      const end = endOfDay(localDay(due, zone), zone);
      const events = lent(1, isDayEnd ? end : due);
      expect(charged(events, zone, end)).toEqual([]);
      expect(charged(events, zone, end + 1)).toMatchObject([{ data: { amount: RATE, daysLate: 1 } }]);
    });
  });

  it('is due on the 14th day after that of the issue, at its end', () => {
    forAll([zones, dueDates], {}, (zone, at) => {
      const [rented] = lent(1, at);
      if (!rented) throw new Error('There is a rent.');
      const [issued] = decide(
        fold([rented]),
        { type: 'IssueBooks', borrowId: BORROW, bookIds: [1], librarianId: READER, at: iso(at) },
        borrowRules(zone),
      );
      if (issued?.type !== 'BooksIssued') throw new Error('There is an issue.');
      const due = Date.parse(issued.data.dueDate);
      expect((Date.parse(localDay(due, zone)) - Date.parse(localDay(at, zone))) / DAY).toBe(14);
      expect(localDay(due + 1, zone) > localDay(due, zone)).toBe(true);
    });
  });

  it('adds up, and never shrinks, where the library changes its time zone meanwhile', () => {
    let charges = 0;
    forAll(
      [attempts, fc.array(zones, { minLength: 1, maxLength: 4 })],
      { numRuns: 100, seed: 5 },
      (tries, changes) => {
        const rulesOf = (turn: number) => borrowRules(changes[turn % changes.length] ?? 'UTC');
        const { events, state } = play(READER, tries, undefined, rulesOf);
        for (const borrow of state.borrows.values()) {
          const own = events
            .map((event, revision) => ({ revision, event }))
            .filter(({ event }) => event.data.borrowId === borrow.id);
          const fee = explainFee(READER, borrow.id, own, 'reader', 'UTC');
          charges += fee.charges.length;
          expect(fee.charges.every(({ addsUp, amount }) => addsUp === true && amount > 0)).toBe(true);
          expect(Math.round(fee.charged * 100)).toBe(totalCharged(borrow));
        }
      },
    );
    expect(charges).toBeGreaterThan(0);
  });
});
