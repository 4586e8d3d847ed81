import fc from 'fast-check';
import {
  beginsBorrow,
  borrowEventTime,
  BORROW_EVENTS,
  BORROW_EVENT_TYPES,
  DESK,
  LIMITS,
  LIMITS_OF,
  type BorrowEvent,
  type Limit,
} from '#contracts/borrowing/borrow-events.js';
import { bookState } from '#contracts/borrowing/borrowed-book.js';
import { DomainError } from '#contracts/domain-error.js';
import {
  attempts,
  play,
  RULES,
  START,
  type Attempt,
} from '../../test-support/arbitraries/borrow-arbitraries.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import {
  lossCharges,
  totalCharged,
  EventWithoutRent,
  evolve,
  fineDue,
  fold,
  isOpen,
  isOut,
  NO_BORROWS,
  refundDue,
  type ReaderBorrows,
} from './borrow-state.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { BORROW_POLICY, rulesIn } from '../rules/borrow.policy.js';
import { explainFee } from './fee-explanation.js';
import { lateFee } from './late-fee.decider.js';
import { undoableSteps } from './undo.decider.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const OTHER = '7d1d2f6c-3c58-4a5e-8b7e-6f1c9a0d4e55';
const DAY = 24 * 3_600_000;

/** What a command leads to; nothing where it is refused. */
function outcomeOf(state: ReaderBorrows, command: BorrowCommand): BorrowEvent[] {
  try {
    return decide(state, command, RULES);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}

/** How often a book is out, back and gone more after an event that names it. */
const MOVES: Partial<Record<BorrowEvent['type'], [out: number, back: number, gone: number]>> = {
  BooksIssued: [1, 0, 0],
  LoanTakenOver: [1, 0, 0],
  IssueUndone: [-1, 0, 0],
  BooksReturned: [0, 1, 0],
  BooksTakenBack: [0, 1, 0],
  ReturnUndone: [0, -1, 0],
  BookLost: [0, 0, 1],
  BookDamaged: [0, 0, 1],
  LossUndone: [0, 0, -1],
  LostBookFound: [0, 1, -1],
  FindingUndone: [0, -1, 1],
};
const booksNamedBy = (data: BorrowEvent['data']): readonly number[] =>
  'bookIds' in data
    ? (data.bookIds ?? [])
    : 'bookId' in data
      ? [data.bookId]
      : 'book' in data
        ? [data.book.bookId]
        : [];

/** Each event of a play, with the reader's borrows before and after it. */
function stepsOf(tries: readonly Attempt[]) {
  let before = NO_BORROWS;
  return play(READER, tries).events.map((event) => {
    const step = { event, before, after: evolve(before, event) };
    before = step.after;
    return step;
  });
}

/** A borrow before and after one of its events. */
function ofBorrow({ event, before, after }: ReturnType<typeof stepsOf>[number]) {
  const [was, is] = [before, after].map(({ borrows }) => borrows.get(event.data.borrowId));
  if (!was || !is) throw new Error('It was rented before.');
  return [was, is] as const;
}

describe('any sequence of commands', () => {
  // spec 4.12
  it('keeps the invariants of borrowing after every event', () => {
    forAll([attempts], { numRuns: 100 }, (tries) => {
      const found = new Set<string>();
      for (const { event, after } of stepsOf(tries)) {
        const { borrows, abandoned } = after;
        if (event.type === 'LostBookFound') found.add(event.data.borrowId);
        const open = [...borrows.values()].flatMap(({ books }) =>
          books.filter(isOut).map(({ bookId }) => bookId),
        );
        expect(new Set(open).size).toBe(open.length);
        // What was taken over from elsewhere is no matter of limits.
        const lentHere = [...borrows.values()].flatMap(({ books }) =>
          books.filter((book) => isOut(book) && book.takenOver === undefined),
        );
        expect(lentHere.length).toBeLessThanOrEqual(BORROW_POLICY.maxBooksPerReader);
        for (const borrow of borrows.values()) {
          expect(abandoned.has(borrow.id)).toBe(false);
          // More is paid than was charged only for what was found since.
          if (!found.has(borrow.id))
            expect(borrow.paid + borrow.waived).toBeLessThanOrEqual(totalCharged(borrow));
          expect(Math.min(borrow.paid, borrow.waived)).toBeGreaterThanOrEqual(0);
          expect(Math.min(fineDue(borrow), refundDue(borrow))).toBe(0);
          expect(borrow.charged).toBeLessThanOrEqual(BORROW_POLICY.fineCap);
          expect(borrow.renewals).toBeLessThanOrEqual(BORROW_POLICY.maxRenewals);
          expect(borrow.status === 'Not_Paid').toBe(fineDue(borrow) > 0);
          const states = borrow.books.map(bookState);
          const isOver = !states.includes('reserved') && !states.includes('lent');
          expect(isOver).toBe(!isOpen(borrow));
          if (borrow.status === 'Returned' || borrow.status === 'Expired') expect(isOver).toBe(true);
          if (borrow.status === 'Issued' || borrow.status === 'Paid') expect(isOver).toBe(false);
          if (borrow.status === 'Rented') expect(new Set(states)).not.toContain('lent');
          if (borrow.status === 'Returned') expect(borrow.returnedAt).not.toBeNull();
          if (borrow.status === 'Expired') expect(borrow.issuedAt).toBeNull();
          if (borrow.issuedAt !== null) expect((borrow.dueDate ?? '') > borrow.issuedAt).toBe(true);
        }
      }
    });
  });

  it('never takes books back, nor rents more, before every day late is charged and paid', () => {
    let late = 0;
    forAll([attempts], { numRuns: 300, seed: 45 }, (tries) => {
      for (const { event, before } of stepsOf(tries)) {
        const { type, data } = event;
        if (type !== 'BooksReturned' && type !== 'BooksRented') continue;
        const at = type === 'BooksReturned' ? data.returnedAt : data.rentedAt;
        for (const borrow of before.borrows.values()) {
          if (type === 'BooksReturned' && borrow.id !== data.borrowId) continue;
          const fee = lateFee(borrow, at, RULES);
          if (fee) late += 1;
          expect(borrow.paid + borrow.waived).toBeGreaterThanOrEqual(fee?.total ?? borrow.charged);
        }
      }
    });
    expect(late).toBeGreaterThan(0);
  });

  it('is allowed, refused and charged alike whether the nightly charge was earlier or is still to come', () => {
    const seen = { covered: 0, refused: 0 };
    forAll([attempts, fc.integer({ min: 1, max: 40 })], { numRuns: 200, seed: 45 }, (tries, days) => {
      const { state, events } = play(READER, tries);
      const last = events.at(-1);
      const at = new Date((last ? Date.parse(borrowEventTime(last)) : START) + days * DAY).toISOString();
      const nightly = outcomeOf(state, { type: 'ChargeLateFees', at });
      if (nightly.length === 0) return;
      const charged = fold(nightly, state);
      for (const { id: borrowId, books } of state.unsettled.values()) {
        const desk = { borrowId, bookIds: books.map(({ bookId }) => bookId), librarianId: LIBRARIAN, at };
        const commands: BorrowCommand[] = [
          { type: 'RentBooks', borrowId: OTHER, readerId: READER, books: [{ bookId: 99, title: 'A' }], at },
          ...(['IssueBooks', 'ReturnBooks', 'TakeBackBooks'] as const).map((type) => ({ type, ...desk })),
        ];
        for (const command of commands) {
          const [before, after] = [state, charged].map((each) => {
            const decided = outcomeOf(each, command);
            const borrow = fold(decided, each).borrows.get(borrowId);
            const types = decided.map(({ type }) => type);
            return { types, money: borrow && { status: borrow.status, charged: borrow.charged } };
          });
          if (!before || !after) throw new Error('There are two.');
          const own = before.types.filter((type) => type !== 'FineCharged');
          expect(own).toEqual(after.types);
          if (own.length === 0) seen.refused += 1;
          // A rent charges nothing: the night does.
          if (own.length === 0 || command.type === 'RentBooks') continue;
          expect(before.money).toEqual(after.money);
          if (command.type !== 'TakeBackBooks' && own.length < before.types.length) seen.covered += 1;
        }
      }
    });
    expect(seen.covered).toBeGreaterThan(0);
    expect(seen.refused).toBeGreaterThan(0);
  });

  it('passes limits alone with a reason, says which, and is refused without one as ever', () => {
    const passed = new Set<string>();
    const actions = { LendBooks: 'lend', IssueBooks: 'issue', RenewBorrow: 'renew' } as const;
    const policy = { ...BORROW_POLICY, maxBooksPerReader: 3, maxRenewals: 1, renewableDaysBefore: 9 };
    const strict = rulesIn('Europe/Warsaw', policy, () => policy);
    const outcome = (state: ReaderBorrows, command: BorrowCommand) => {
      try {
        return { events: decide(state, command, strict) };
      } catch (error) {
        if (error instanceof DomainError) return { code: error.code };
        throw error;
      }
    };
    forAll([attempts, fc.integer({ min: 0, max: 20 })], { numRuns: 300, seed: 45 }, (tries, hours) => {
      const { state, events } = play(READER, tries);
      const last = events.at(-1);
      const at = new Date((last ? Date.parse(borrowEventTime(last)) : START) + hours * 20 * 3_600_000);
      const of = { librarianId: LIBRARIAN, renewedBy: LIBRARIAN, readerId: READER, at: at.toISOString() };
      const open = [...state.unsettled.values()];
      const commands = [
        ...[1, 9, 20].map((most) => {
          const books = Array.from({ length: most }, (_, n) => ({ bookId: 30 + n, title: 'A' }));
          return { ...of, type: 'LendBooks', borrowId: OTHER, books, ...(most === 9 && { blocked: 'No.' }) };
        }),
        ...open.flatMap(({ id: borrowId, books }) => [
          { ...of, type: 'LendBooks', borrowId: OTHER, books },
          { ...of, type: 'IssueBooks', borrowId, bookIds: books.map(({ bookId }) => bookId) },
          { ...of, type: 'RenewBorrow', borrowId },
          { ...of, type: 'RenewBorrow', borrowId, waitedFor: ['A'] },
        ]),
      ] as BorrowCommand[];
      for (const command of commands) {
        const without = outcome(state, command);
        const withReason = outcome(state, { ...command, beyondLimit: 'study' } as BorrowCommand);
        if (without.events) {
          expect(withReason).toEqual(without);
          continue;
        }
        const limits: readonly Limit[] = LIMITS_OF[actions[command.type as keyof typeof actions]];
        if (!limits.some((limit) => LIMITS[limit] === without.code)) {
          expect(withReason).toEqual(without);
        } else if (withReason.events) {
          const { data } = withReason.events.at(-1) as BorrowEvent<'BooksIssued' | 'BorrowRenewed'>;
          expect(data.beyond?.reason).toBe('study');
          expect(data.beyond?.limits.map((limit) => LIMITS[limit])).toContain(without.code);
          for (const limit of data.beyond?.limits ?? []) {
            expect(limits).toContain(limit);
            passed.add(`${command.type} ${limit}`);
          }
          // What is passed is in no way of the fold, and gives nobody a book twice.
          const out = [...fold(withReason.events, state).borrows.values()].flatMap((borrow) =>
            borrow.books.filter(isOut).map(({ bookId }) => bookId),
          );
          expect(new Set(out).size).toBe(out.length);
        }
      }
    });
    expect([...passed].toSorted()).toEqual([
      'IssueBooks books',
      'LendBooks block',
      'LendBooks books',
      'LendBooks fee',
      'RenewBorrow early',
      'RenewBorrow renewals',
    ]);
  });

  it('takes at the desk what is owed up to then, and gives back what is owed to the reader, or a part of it', () => {
    const seen = { whole: 0, part: 0, refunded: 0 };
    forAll([attempts], { numRuns: 300, seed: 45 }, (tries) => {
      for (const step of stepsOf(tries)) {
        const { type, data } = step.event;
        if (type !== 'RefundPaid' && (type !== 'FinePaid' || data.provider !== DESK)) continue;
        const [before, after] = ofBorrow(step);
        expect(data.amount).toBeGreaterThan(0);
        if (type === 'RefundPaid') {
          seen.refunded += 1;
          expect(data.amount).toBeLessThanOrEqual(refundDue(before));
          expect(refundDue(after)).toBe(refundDue(before) - data.amount);
          expect([fineDue(before), fineDue(after)]).toEqual([0, 0]);
          continue;
        }
        expect(data.amount).toBeLessThanOrEqual(fineDue(before));
        expect(lateFee(before, data.paidAt, RULES)?.uncharged ?? 0).toBe(0);
        const left = fineDue(before) - data.amount;
        seen[left > 0 ? 'part' : 'whole'] += 1;
        expect([fineDue(after), after.paid]).toEqual([left, before.paid + data.amount]);
        expect(after.status).toBe(left > 0 ? 'Not_Paid' : isOpen(before) ? 'Paid' : 'Returned');
      }
    });
    expect(Math.min(seen.whole, seen.part, seen.refunded)).toBeGreaterThan(0);
  });

  it('owes what was charged, for days and for losses, less what was paid, waived and taken back', () => {
    let [gone, refunded] = [0, 0];
    forAll([attempts], { numRuns: 300, seed: 45 }, (tries) => {
      const { events } = play(READER, tries);
      const { borrows } = fold(events);
      for (const borrow of borrows.values()) {
        const own = events.filter(({ data }) => data.borrowId === borrow.id);
        const sum = (...types: BorrowEvent['type'][]) =>
          own.reduce(
            (total, { type, data }) => total + (types.includes(type) && 'amount' in data ? data.amount : 0),
            0,
          );
        const late = sum('FineCharged');
        const losses = sum('BookLost', 'BookDamaged', 'FindingUndone') - sum('LostBookFound', 'LossUndone');
        const paid = sum('FinePaid', 'RefundUndone') - sum('PaymentUndone', 'RefundPaid');
        if (sum('RefundPaid') > 0) refunded += 1;
        // What goes out was taken in before.
        expect(paid).toBeGreaterThanOrEqual(0);
        expect(borrow.paid).toBe(paid);
        const waived = sum('FeeWaived') - sum('WaiverUndone');
        if (losses > 0) gone += 1;
        expect(borrow.charged).toBe(late);
        expect(lossCharges(borrow)).toBe(losses);
        expect(fineDue(borrow)).toBe(Math.max(0, late + losses - paid - waived));
        expect(refundDue(borrow)).toBe(Math.max(0, paid - late - losses));
        const numbered = own.map((event, revision) => ({ event, revision }));
        const explained = explainFee(READER, borrow.id, numbered, 'staff', RULES.timeZone);
        expect(Math.round(explained.charged * 100)).toBe(late + losses);
        expect(Math.round(explained.due * 100)).toBe(fineDue(borrow));
        expect(Math.round(explained.refund * 100)).toBe(refundDue(borrow));
        expect(explained.losses.every(({ addsUp }) => addsUp)).toBe(true);
      }
    });
    expect(gone).toBeGreaterThan(5);
    expect(refunded).toBeGreaterThan(2);
  });

  it('extends each due date once, whatever is sent again, in whatever order and however it is named', () => {
    const sends = fc.array(
      fc.record({
        borrow: fc.nat(2),
        /** How many due dates back. */
        back: fc.nat(2),
        naming: fc.constantFrom('due date', 'nothing', 'a key'),
        minutes: fc.oneof(fc.nat(12), fc.nat(20_000)),
      }),
      { minLength: 5, maxLength: 25 },
    );
    const seen = { renewed: 0, repeated: 0 };
    forAll([attempts, sends], { numRuns: 300, seed: 45 }, (tries, renewals) => {
      const { events } = play(READER, tries);
      let state = fold(events);
      let now = Math.max(0, ...events.map((event) => Date.parse(borrowEventTime(event))));
      for (const { borrow: pick, back, naming, minutes } of renewals) {
        now += minutes * 60_000;
        const borrow = [...state.borrows.values()][pick];
        if (!borrow?.dueDate) continue;
        const extended = (state.renewals.get(borrow.id) ?? []).map((renewal) => renewal.extended);
        const dueDate = [borrow.dueDate, ...extended.toReversed()][back];
        const stored = outcomeOf(state, {
          type: 'RenewBorrow',
          borrowId: borrow.id,
          renewedBy: READER,
          ...(naming === 'due date' && dueDate && { dueDate }),
          mayBeRepeat: naming === 'nothing',
          at: new Date(now).toISOString(),
        });
        if (naming === 'due date' && extended.includes(dueDate ?? null)) {
          expect(stored).toEqual([]);
          seen.repeated += 1;
        }
        if (stored.length > 0) seen.renewed += 1;
        state = fold(stored, state);
        const all = (state.renewals.get(borrow.id) ?? []).map((renewal) => renewal.extended);
        expect(new Set(all).size).toBe(all.length);
        const earlier = events.find(
          ({ type, data }) => type === 'LoanTakenOver' && data.borrowId === borrow.id,
        );
        const inEarlierSystem = earlier?.type === 'LoanTakenOver' ? earlier.data.renewals : 0;
        expect(all.length + inEarlierSystem).toBe(state.borrows.get(borrow.id)?.renewals);
        expect([...all].sort()).toEqual(all);
      }
    });
    expect(Math.min(seen.renewed, seen.repeated)).toBeGreaterThan(5);
  });

  it('is after an undoing as if what was undone had never been, its money included', () => {
    const undone = new Map<string, number>();
    const facts = (state: ReaderBorrows, borrowId: string) => ({
      ...state.borrows.get(borrowId),
      recent: [],
    });
    forAll([attempts], { numRuns: 300, seed: 45 }, (tries) => {
      const { events } = play(READER, tries);
      for (const [n, event] of events.entries()) {
        const { borrowId } = event.data;
        const [before, at] = [events.slice(0, n + 1), borrowEventTime(event)];
        const state = fold(before);
        const borrow = state.borrows.get(borrowId);
        for (const { revision } of borrow ? undoableSteps(borrow, at, RULES) : []) {
          const command = {
            type: 'Undo' as const,
            borrowId,
            readerId: READER,
            revision,
            librarianId: LIBRARIAN,
            at,
          };
          const stored = outcomeOf(state, command);
          // What else the reader has may be in the way.
          if (stored.length === 0) continue;
          const types = stored.map(({ type }) => type).join(' ');
          undone.set(types, (undone.get(types) ?? 0) + 1);
          if (before[revision]?.type === 'LoanTakenOver') {
            expect(fold(stored, state).borrows.get(borrowId)?.books.every(isOut)).toBe(false);
            expect(fold(stored, state).unsettled.has(borrowId)).toBe(false);
            continue;
          }
          // What was lent at the desk is not rented any more either.
          const without = fold([...before.filter((_, other) => other !== revision), ...stored.slice(1)]);
          expect(facts(fold(stored, state), borrowId)).toEqual(facts(without, borrowId));
        }
      }
    });
    expect([...undone.keys()].sort()).toEqual([
      'FindingUndone',
      'IssueUndone',
      'IssueUndone RentCancelled',
      'LossUndone',
      'PaymentUndone',
      'RefundUndone',
      'ReturnUndone',
      'WaiverUndone',
    ]);
  });

  it('undoes what it offers, once, within its minutes, and nothing else', () => {
    const at = (event: BorrowEvent | undefined, minutes: number) =>
      new Date((event ? Date.parse(borrowEventTime(event)) : 0) + minutes * 60_000).toISOString();
    let offered = 0;
    forAll([attempts], { numRuns: 150, seed: 45 }, (tries) => {
      const { events, state } = play(READER, tries);
      const now = at(events.at(-1), 0);
      for (const borrow of state.borrows.values()) {
        const command = {
          ...{ type: 'Undo' as const, borrowId: borrow.id },
          ...{ readerId: READER, librarianId: LIBRARIAN },
        };
        const offers = undoableSteps(borrow, now, RULES);
        for (const { revision, until } of offers) {
          offered += 1;
          const stored = outcomeOf(state, { ...command, revision, at: now });
          const next = fold(stored, state);
          expect(outcomeOf(next, { ...command, revision, at: now })).toEqual([]);
          const late = new Date(Date.parse(until) + 1).toISOString();
          expect(outcomeOf(state, { ...command, revision, at: late })).toEqual([]);
        }
        const others = events
          .map((_, revision) => revision)
          .filter((n) => offers.every((o) => o.revision !== n));
        for (const revision of others)
          expect(outcomeOf(state, { ...command, revision, at: now })).toEqual([]);
      }
    });
    expect(offered).toBeGreaterThan(5);
  });

  it('has every book of a borrow in one part, whatever parts it came and went in', () => {
    let parts = 0;
    forAll([attempts], { numRuns: 200, seed: 45 }, (tries) => {
      const { events, state } = play(READER, tries);
      for (const borrow of state.borrows.values()) {
        const ids = borrow.books.map(({ bookId }) => bookId);
        const count = new Map(ids.map((bookId) => [bookId, [0, 0, 0]]));
        for (const { type, data } of events) {
          const moves = MOVES[type];
          if (data.borrowId !== borrow.id || !moves) continue;
          const named = booksNamedBy(data);
          if (named.length < ids.length) parts += 1;
          for (const bookId of named) {
            const before = count.get(bookId);
            if (!before) throw new Error('Of another borrow.');
            count.set(
              bookId,
              before.map((sum, n) => sum + (moves[n] ?? 0)),
            );
          }
        }
        for (const book of borrow.books) {
          const [out = -1, back = -1, gone = -1] = count.get(book.bookId) ?? [];
          expect([0, 1]).toContain(out);
          expect(back + gone).toBeLessThanOrEqual(out);
          expect(bookState(book) === 'returned').toBe(back === 1);
          expect(bookState(book) === 'lost' || bookState(book) === 'damaged').toBe(gone === 1);
          expect(bookState(book) === 'lent').toBe(out === 1 && back + gone === 0);
        }
      }
    });
    expect(parts).toBeGreaterThan(10);
  });

  it('makes events that hold to their schemas, and that fold the same at once or one by one', () => {
    forAll([attempts], { numRuns: 150 }, (tries) => {
      const { events, state } = play(READER, tries);
      for (const event of events)
        expect(BORROW_EVENTS[event.type].data.parse(event.data)).toEqual(event.data);
      expect(fold(events)).toEqual(state);
    });
  });

  it('cannot be folded where the rent is missing, by whatever event of it and in whatever company', () => {
    forAll([attempts, fc.nat()], { numRuns: 100 }, (tries, pick) => {
      const { events } = play(READER, tries);
      const followers = events.filter((event) => !beginsBorrow(event) && event.type !== 'RentAbandoned');
      const orphan = followers[pick % Math.max(followers.length, 1)];
      if (!orphan) return;
      const { borrowId } = orphan.data;
      const without = events.filter((event) => !beginsBorrow(event) || event.data.borrowId !== borrowId);
      expect(() => fold(without)).toThrow(EventWithoutRent);
    });
  });

  it('reaches every status and every event, so that the properties above say something', () => {
    const seen = new Set<string>();
    for (const tries of fc.sample(attempts, { numRuns: 160, seed: 33 })) {
      const { events, state } = play(READER, tries);
      for (const { type } of events) seen.add(type);
      for (const { status } of state.borrows.values()) seen.add(status);
    }
    expect([...seen].sort()).toEqual(
      [...BORROW_EVENT_TYPES, 'Rented', 'Issued', 'Returned', 'Expired', 'Not_Paid', 'Paid'].sort(),
    );
  });
});
