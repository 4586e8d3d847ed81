import type { ReaderEvent } from '#contracts/holds/hold-events.js';
import { borrowRules } from '#circulation/rules/borrow.policy.js';
import { fold } from '#circulation/borrow/borrow-state.js';
import {
  decideHoldLetter,
  decideLetter,
  hasEnoughFor,
  LetterWithoutEvent,
  type AskedLetter,
  type BorrowLetter,
  type KnownEvent,
} from './borrow-letter.decider.js';

const borrowId = 'b0000000-0000-4000-8000-000000000001';
const readerId = 'a0000000-0000-4000-8000-000000000001';
const at = (day: number) => new Date(Date.UTC(2026, 2, day, 12)).toISOString();

/** The stream up to a step; each event's id is its place. */
const STEPS = {
  rented: {
    type: 'BooksRented',
    data: {
      borrowId,
      readerId,
      books: [{ bookId: 1, title: 'Solaris' }],
      rentedAt: at(1),
      collectBy: at(4),
      policyVersion: 1,
    },
  },
  issued: {
    type: 'BooksIssued',
    data: {
      borrowId,
      bookIds: [1],
      copies: [],
      issuedBy: 'desk',
      issuedAt: at(2),
      dueDate: at(16),
      policyVersion: 1,
    },
  },
  renewed: {
    type: 'BorrowRenewed',
    data: { borrowId, renewedBy: 'r', renewedAt: at(15), dueDate: at(30), policyVersion: 1 },
  },
  expired: { type: 'BorrowExpired', data: { borrowId, bookIds: [1], expiredAt: at(5) } },
  charged: {
    type: 'FineCharged',
    data: {
      borrowId,
      amount: 150,
      total: 150,
      daysLate: 3,
      reason: 'overdue',
      chargedAt: at(19),
      policyVersion: 1,
      calendar: { timeZone: 'UTC', dueDay: at(16).slice(0, 10), chargedDay: at(19).slice(0, 10) },
    },
  },
  paid: {
    type: 'FinePaid',
    data: { borrowId, amount: 150, transactionId: 'tx', provider: 'sandbox', paidAt: at(20) },
  },
  returned: {
    type: 'BooksReturned',
    data: { borrowId, bookIds: [1], returnedTo: 'desk', returnedAt: at(21) },
  },
  lost: {
    type: 'BookLost',
    data: {
      borrowId,
      bookId: 1,
      price: 3990,
      amount: 4990,
      policyVersion: 1,
      reportedBy: 'desk',
      reportedAt: at(10),
    },
  },
  found: {
    type: 'LostBookFound',
    data: { borrowId, bookId: 1, amount: 4990, foundBy: 'desk', foundAt: at(11) },
  },
  findingUndone: {
    type: 'FindingUndone',
    data: { borrowId, revision: 3, bookId: 1, amount: 4990, undoneBy: 'desk', undoneAt: at(11) },
  },
  refunded: {
    type: 'RefundPaid',
    data: {
      ...{ borrowId, amount: 150, transactionId: 'back', provider: 'desk' },
      ...{ paidBy: 'desk', paidAt: at(12) },
    },
  },
  refundUndone: {
    type: 'RefundUndone',
    data: {
      ...{ borrowId, revision: 5, amount: 150, transactionId: 'back' },
      ...{ undoneBy: 'desk', undoneAt: at(12) },
    },
  },
  lossUndone: {
    type: 'LossUndone',
    data: { borrowId, revision: 2, bookId: 1, amount: 4990, undoneBy: 'desk', undoneAt: at(10) },
  },
  // A hold, of which the rent came.
  placed: {
    type: 'HoldPlaced',
    data: {
      ...{ holdId: 'hold', readerId, bookId: 1, title: 'Solaris', neededUntil: null },
      ...{ placedBy: readerId, placedAt: at(1), policyVersion: 1 },
    },
  },
  ready: {
    type: 'HoldReady',
    data: { holdId: 'hold', borrowId, collectBy: at(4), readyAt: at(1), policyVersion: 1 },
  },
  setBack: {
    type: 'HoldSetBack',
    data: { holdId: 'hold', borrowId, setBackBy: 'desk', setBackAt: at(2) },
  },
  readyAgain: {
    type: 'HoldReady',
    data: { holdId: 'hold', borrowId: 'another', collectBy: at(6), readyAt: at(3), policyVersion: 1 },
  },
  cancelled: {
    type: 'RentCancelled',
    data: { borrowId, bookIds: [1], cancelledBy: 'desk', cancelledAt: at(2) },
  },
  cancelledForHim: {
    type: 'HoldCancelled',
    data: { holdId: 'hold', cancelledBy: 'desk', cancelledAt: at(2) },
  },
  givenUp: {
    type: 'RentCancelled',
    data: { borrowId, bookIds: [1], cancelledBy: readerId, cancelledAt: at(2) },
  },
  holdGivenUp: {
    type: 'HoldCancelled',
    data: { holdId: 'hold', cancelledBy: readerId, cancelledAt: at(2) },
  },
} as const satisfies Record<string, ReaderEvent>;

const RULES = borrowRules('UTC');

type Step = keyof typeof STEPS;

const stream = (steps: Step[]): KnownEvent[] =>
  steps.map((step, index) => ({ id: step, revision: BigInt(index), event: structuredClone(STEPS[step]) }));

const decide = (asked: AskedLetter, events: KnownEvent[], now: string) =>
  decideLetter(asked, fold(events.map(({ event }) => event)).borrows.get(borrowId), events, now, RULES);

const decided = (kind: BorrowLetter['kind'], steps: Step[], now: string, dueDate?: string) =>
  decide({ kind, cause: steps.at(-1) ?? '', borrowId, ...(dueDate && { dueDate }) }, stream(steps), now);

describe('what a letter says by what the log says when it is sent', () => {
  it.each<[BorrowLetter['kind'], Step[], number, string | undefined, 'sent' | 'dropped']>([
    ['books-rented', ['rented'], 2, undefined, 'sent'],
    ['books-rented', ['rented'], 5, undefined, 'dropped'],
    ['books-rented', ['rented', 'issued'], 2, undefined, 'dropped'],
    ['books-rented', ['rented', 'expired'], 5, undefined, 'dropped'],
    ['books-issued', ['rented', 'issued'], 3, undefined, 'sent'],
    ['books-issued', ['rented', 'issued'], 17, undefined, 'dropped'],
    ['books-issued', ['rented', 'issued', 'returned'], 3, undefined, 'dropped'],
    ['due-soon', ['rented', 'issued'], 15, at(16), 'sent'],
    ['due-soon', ['rented', 'issued'], 16, at(16), 'sent'],
    ['due-soon', ['rented', 'issued'], 17, at(16), 'dropped'],
    ['due-soon', ['rented', 'issued', 'renewed'], 15, at(16), 'dropped'],
    ['due-soon', ['rented', 'issued', 'renewed'], 29, at(30), 'sent'],
    ['due-soon', ['rented', 'issued', 'returned'], 15, at(16), 'dropped'],
    ['borrow-expired', ['rented', 'expired'], 6, undefined, 'sent'],
    ['fee-charged', ['rented', 'issued', 'charged'], 19, undefined, 'sent'],
    ['fee-charged', ['rented', 'issued', 'charged', 'paid'], 20, undefined, 'dropped'],
    ['fee-paid', ['rented', 'issued', 'charged', 'paid'], 20, undefined, 'sent'],
    ['loss-charged', ['rented', 'issued', 'lost'], 10, undefined, 'sent'],
    ['loss-found', ['rented', 'issued', 'lost', 'found'], 11, undefined, 'sent'],
    ['loss-undone', ['rented', 'issued', 'lost', 'lossUndone'], 10, undefined, 'sent'],
    ['finding-undone', ['rented', 'issued', 'lost', 'found', 'findingUndone'], 11, undefined, 'sent'],
    ['refund-paid', ['rented', 'issued', 'lost', 'paid', 'found', 'refunded'], 12, undefined, 'sent'],
  ])('%s after %j on day %i is %5$s', (kind, steps, day, dueDate, expected) => {
    expect(decided(kind, steps, at(day), dueDate) ? 'sent' : 'dropped').toBe(expected);
  });

  it('tells of the newest due date', () => {
    expect(decided('books-issued', ['rented', 'issued', 'renewed'], at(15))).toMatchObject({
      dueDate: at(30),
      renewalsLeft: 1,
    });
  });

  it('gives a receipt for the payment that it is for, also when the books are back', () => {
    const events = stream(['rented', 'issued', 'charged', 'paid', 'returned']);
    expect(decide({ kind: 'fee-paid', cause: 'paid', borrowId }, events, at(22))).toEqual({
      kind: 'fee-paid',
      titles: ['Solaris'],
      amount: 150,
      paidAt: at(20),
      transactionId: 'tx',
      atDesk: false,
      late: { titles: ['Solaris'], days: 3 },
      due: 0,
      toReturn: [],
    });
  });

  it('names in a receipt what was paid alone: books that were late, not what came back in time or was lost since', () => {
    const books = [1, 2, 3].map((bookId) => ({ bookId, title: `Book ${bookId}` }));
    const changed: Record<string, object> = {
      BooksRented: { books },
      BooksIssued: { bookIds: [1, 2, 3] },
      BooksReturned: { bookIds: [2], returnedAt: at(10) },
      BookLost: { reportedAt: at(21) },
    };
    const steps: Step[] = ['rented', 'issued', 'returned', 'charged', 'paid', 'lost'];
    const events = stream(steps);
    for (const { event } of events) Object.assign(event.data, changed[event.type]);
    expect(decide({ kind: 'fee-paid', cause: 'paid', borrowId }, events, at(22))).toMatchObject({
      titles: ['Book 1', 'Book 3'],
      late: { titles: ['Book 1', 'Book 3'], days: 3 },
      due: 4990,
      toReturn: ['Book 3'],
    });
  });

  it('asks nothing for a lost book that was found or had not been lost, and names what was paid for it', () => {
    const charge = { kind: 'loss-charged', cause: 'lost', borrowId } as const;
    expect(decide(charge, stream(['rented', 'issued', 'lost', 'found']), at(11))).toBeUndefined();
    expect(decide(charge, stream(['rented', 'issued', 'lost', 'lossUndone']), at(11))).toBeUndefined();
    expect(decide(charge, stream(['rented', 'issued', 'lost']), at(11))).toEqual({
      kind: 'loss-charged',
      titles: ['Solaris'],
      as: 'lost',
      reportedAt: at(10),
      price: 3990,
      amount: 4990,
      due: 4990,
    });
    const paid = stream(['rented', 'issued', 'lost', 'paid', 'found']);
    expect(decide({ kind: 'loss-found', cause: 'found', borrowId }, paid, at(11))).toMatchObject({
      due: 0,
      refund: 150,
    });
    const undone = stream(['rented', 'issued', 'lost', 'lossUndone']);
    expect(decide({ kind: 'loss-undone', cause: 'lossUndone', borrowId }, undone, at(11))).toMatchObject({
      corrects: 'lost',
      dueDate: at(16),
    });
  });

  it('is silent about what was undone again: that a book was found, that money was given back', () => {
    const found: Step[] = ['rented', 'issued', 'lost', 'found', 'findingUndone'];
    expect(decide({ kind: 'loss-found', cause: 'found', borrowId }, stream(found), at(11))).toBeUndefined();
    const correction = { kind: 'finding-undone', cause: 'findingUndone', borrowId } as const;
    expect(decide(correction, stream(found), at(11))).toMatchObject({ corrects: 'found', due: 4990 });
    expect(decide(correction, stream([...found, 'found']), at(11))).toBeUndefined();
    const back = stream(['rented', 'issued', 'lost', 'paid', 'found', 'refunded', 'refundUndone']);
    expect(decide({ kind: 'refund-paid', cause: 'refunded', borrowId }, back, at(12))).toBeUndefined();
    expect(decide({ kind: 'refund-undone', cause: 'refundUndone', borrowId }, back, at(12))).toMatchObject({
      ...{ corrects: 'refunded', amount: 150, refund: 150 },
    });
  });

  it('says of a reserved copy whether its reader waits again or gave it up, where no other letter does', () => {
    const told = (cause: Step, steps: Step[]) =>
      decide({ kind: 'rent-cancelled', cause, borrowId }, stream(steps), at(3));
    const held: Step[] = ['placed', 'ready', 'rented'];
    expect(told('cancelled', ['rented', 'cancelled'])).toEqual({
      ...{ kind: 'rent-cancelled', titles: ['Solaris'], cancelledAt: at(2), corrects: 'rented' },
    });
    expect(told('cancelled', [...held, 'setBack', 'cancelled'])).toMatchObject({ hold: 'set-back' });
    expect(told('cancelled', [...held, 'setBack', 'cancelled', 'readyAgain'])).toBeUndefined();
    expect(told('givenUp', [...held, 'givenUp', 'holdGivenUp'])).toMatchObject({ hold: 'cancelled' });
    expect(told('cancelled', [...held, 'cancelled', 'cancelledForHim'])).toBeUndefined();
  });

  it('fails where the log does not know of what it is to tell', () => {
    const asked = { kind: 'fee-paid', cause: 'elsewhere', borrowId } as const;
    expect(() => decide(asked, stream(['rented', 'issued']), at(20))).toThrow(LetterWithoutEvent);
    expect(() => decide(asked, [], at(20))).toThrow(LetterWithoutEvent);
  });

  it("is decided from a fee's newest events alone", () => {
    const events = stream(['rented', 'issued', 'charged', 'paid', 'returned']);
    const borrow = fold(events.map(({ event }) => event)).borrows.get(borrowId);
    const asked = { kind: 'fee-paid', cause: 'paid', borrowId } as const;
    const enough = [1, 2, 3, 4, 5].map((count) => hasEnoughFor(asked, events.slice(-count)));
    expect(enough).toEqual([false, false, true, true, true]);
    expect(decideLetter(asked, borrow, events.slice(-3), at(22), RULES)).toEqual(
      decide(asked, events, at(22)),
    );
    expect(hasEnoughFor({ ...asked, kind: 'fee-charged' }, events.slice(-2))).toBe(false);
    expect(hasEnoughFor({ ...asked, kind: 'books-issued' }, [])).toBe(true);
  });

  it('about a hold says when it was over, or which day has passed, and fails where that is not known', () => {
    const hold = { id: borrowId, title: 'Solaris', endedAt: at(8), neededUntil: at(7) };
    const titles = ['Solaris'];
    expect(decideHoldLetter('hold-not-needed', hold)).toEqual({
      ...{ kind: 'hold-not-needed', titles, neededUntil: at(7) },
    });
    expect(decideHoldLetter('hold-cancelled', hold)).toEqual({
      ...{ kind: 'hold-cancelled', titles, cancelledAt: at(8) },
    });
    const without = (what: object) => () => decideHoldLetter('hold-not-needed', { ...hold, ...what });
    expect(without({ neededUntil: null })).toThrow(LetterWithoutEvent);
    expect(without({ endedAt: null })).toThrow(LetterWithoutEvent);
    expect(() => decideHoldLetter('hold-cancelled', undefined)).toThrow(LetterWithoutEvent);
  });
});
