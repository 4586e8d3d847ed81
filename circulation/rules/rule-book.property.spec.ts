import fc from 'fast-check';
import { addDays, endOfDay, localDay } from '#contracts/local-day.js';
import { ruleSetSchema } from '#contracts/rules/rule-set.js';
import { BOOK_KINDS, READER_KINDS, type BookKind, type ReaderKind } from '#contracts/rules/kinds.js';
import {
  attempts,
  play,
  RULES,
  START,
  type Attempt,
} from '../../test-support/arbitraries/borrow-arbitraries.js';
import { eventsOf, ruleChanges, ruleSets } from '../../test-support/arbitraries/rule-arbitraries.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import type { BorrowCommand } from '../borrow/borrow.decider.js';
import { BORROW_POLICY, rulesIn } from './borrow.policy.js';
import { explainFee } from '../borrow/fee-explanation.js';
import { endOfPeriod, isClosed } from './period.js';
import { RuleBook, ruleSetOf } from './rule-book.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const ZONE = 'Europe/Warsaw';
const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString();

/** Of all kinds, the same in every play. */
function ofAllKinds(command: BorrowCommand, turn: number): BorrowCommand {
  const readerKind = READER_KINDS[turn % 5 === 0 ? 1 : turn % 7 === 0 ? 2 : 0];
  return ofKinds(command, readerKind, BOOK_KINDS[1]);
}

/** @param bookKind of every third book */
function ofKinds(command: BorrowCommand, readerKind: ReaderKind, bookKind: BookKind): BorrowCommand {
  if (command.type === 'RentBooks' || command.type === 'LendBooks') {
    const books = command.books.map((book) => (book.bookId % 3 === 0 ? { ...book, kind: bookKind } : book));
    return { ...command, readerKind, books };
  }
  return { ...command, readerKind } as BorrowCommand;
}

/** What is decided by the rules of its own moment: the others are decided by those that the books were handed over by. */
const ANEW: BorrowCommand['type'][] = [
  ...(['RentBooks', 'LendBooks', 'IssueBooks', 'TakeOverLoan', 'RenewBorrow', 'Undo'] as const),
];

describe('the versions of the rules', () => {
  it('never reach back: what was handed over costs the same, whatever came into force since', () => {
    let charged = 0;
    forAll(
      [attempts, ruleChanges, ruleChanges, fc.integer({ min: 100, max: 1_200 })],
      { numRuns: 150, seed: 5 },
      (tries, changes, others, hours) => {
        const until = START + hours * HOUR;
        const known = changes.filter((change) => change.hours <= hours);
        const later = (all: typeof changes) => [
          ...known,
          ...all.map((change) => ({ ...change, hours: hours + 1 + (change.hours % 300) })),
        ];
        const [one, other] = [changes, others].map((all) => {
          const book = RuleBook.of(eventsOf(later(all), START));
          let now = START;
          const sensible = tries.filter((attempt: Attempt) => {
            now += attempt.hours * HOUR;
            return now <= until || !ANEW.includes(attempt.type);
          });
          // What is left out takes its hours with it, in both histories alike.
          return play(READER, sensible, undefined, (_, at) => book.rulesAt(at, ZONE), ofAllKinds);
        });
        charged += one?.events.filter(({ type }) => type === 'FineCharged').length ?? 0;
        expect(other?.events).toEqual(one?.events);
      },
    );
    expect(charged).toBeGreaterThan(0);
  });

  it('are for kinds as they were: a reader who is of another one since pays and keeps what they did before', () => {
    let charged = 0;
    forAll(
      [attempts, ruleChanges, fc.constantFrom(...READER_KINDS), fc.integer({ min: 100, max: 1_200 })],
      { numRuns: 100, seed: 5 },
      (tries, changes, later, hours) => {
        const book = RuleBook.of(eventsOf(changes, START));
        const until = START + hours * HOUR;
        let now = START;
        const sensible = tries.filter((attempt: Attempt) => {
          now += attempt.hours * HOUR;
          return now <= until || !ANEW.includes(attempt.type);
        });
        const rulesOf = (_: number, at: string) => book.rulesAt(at, ZONE);
        const one = play(READER, sensible, undefined, rulesOf, ofAllKinds);
        const other = play(READER, sensible, undefined, rulesOf, (command, turn) =>
          Date.parse(command.at) > until
            ? ofKinds(command, later, 'reading-room')
            : ofAllKinds(command, turn),
        );
        charged += one.events.filter(({ type }) => type === 'FineCharged').length;
        expect(other.events).toEqual(one.events);
      },
    );
    expect(charged).toBeGreaterThan(0);
  });

  it('explain every charge by the rules that made it, and it adds up', () => {
    let charges = 0;
    forAll([attempts, ruleChanges], { numRuns: 150, seed: 5 }, (tries, changes) => {
      const book = RuleBook.of(eventsOf(changes, START));
      const { events, state } = play(READER, tries, undefined, (_, at) => book.rulesAt(at, ZONE), ofAllKinds);
      for (const borrow of state.borrows.values()) {
        const own = events
          .map((event, revision) => ({ revision, event }))
          .filter(({ event }) => event.data.borrowId === borrow.id);
        const fee = explainFee(READER, borrow.id, own, 'staff', ZONE, (version) => book.policyOf(version));
        charges += fee.charges.length + fee.losses.length;
        expect([...fee.charges, ...fee.losses].filter(({ addsUp }) => addsUp !== true)).toEqual([]);
      }
    });
    expect(charges).toBeGreaterThan(0);
  });

  it('end on no closed day, and on the first open one after it', () => {
    forAll(
      [ruleSets, fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 60 })],
      {},
      (set, hours, days) => {
        const rules = rulesIn(ZONE, { version: 2, ...set }, () => undefined);
        const from = iso(START + hours * HOUR);
        const end = endOfPeriod(from, days, rules);
        const wanted = addDays(localDay(from, ZONE), days);
        const day = localDay(end, ZONE);
        expect(Date.parse(end)).toBe(endOfDay(day, ZONE));
        expect(isClosed(day, rules)).toBe(false);
        for (let each = wanted; each < day; each = addDays(each, 1)) expect(isClosed(each, rules)).toBe(true);
        expect(day >= wanted).toBe(true);
      },
    );
  });

  it('are what an admin can set, and the default is too', () => {
    forAll([ruleSets], {}, (set) => expect(ruleSetSchema.parse(set)).toEqual(set));
    const set = ruleSetOf(BORROW_POLICY);
    expect(ruleSetSchema.parse(set)).toEqual(set);
    expect(ruleSetOf({ version: 9, ...set })).toEqual(set);
    expect(RuleBook.empty.rulesAt(iso(START), ZONE)).toMatchObject({ version: 1, loanDays: RULES.loanDays });
  });
});
