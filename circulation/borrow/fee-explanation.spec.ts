import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { decide, type BorrowCommand } from './borrow.decider.js';
import { fold } from './borrow-state.js';
import { BORROW_POLICY, borrowRules } from '../rules/borrow.policy.js';
import { explainFee, type NumberedEvent } from './fee-explanation.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const ZONE = 'Europe/Warsaw';
const BORROW = '0b54c0de-7f2a-4d0e-9d5e-000000000001';
const DESK = { borrowId: BORROW, librarianId: 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22' };

/** The events that commands make, one after the other. */
function events(...commands: BorrowCommand[]): NumberedEvent[] {
  const made: BorrowEvent[] = [];
  for (const command of commands) made.push(...decide(fold(made), command, borrowRules(ZONE)));
  return made.map((event, revision) => ({ revision: revision + 5, event }));
}

const lent = (bookIds: number[]): BorrowCommand[] => [
  {
    type: 'RentBooks',
    borrowId: BORROW,
    readerId: READER,
    books: bookIds.map((bookId) => ({ bookId, title: `Book ${bookId}` })),
    at: '2026-02-14T10:00:00.000Z',
  },
  { type: 'IssueBooks', ...DESK, bookIds, at: '2026-02-15T10:00:00.000Z' },
];
const late = (at: string): BorrowCommand => ({ type: 'ChargeFine', borrowId: BORROW, at });
const paid = (amount: number, at: string): BorrowCommand => ({
  type: 'RecordPayment',
  borrowId: BORROW,
  amount,
  transactionId: 't',
  provider: 'sandbox',
  at,
});

describe('the explanation of a fee', () => {
  it('names due date, days, books, rate and product, in the reader’s words', () => {
    const history = events(...lent([1, 2]), late('2026-03-04T09:00:00.000Z'));
    const fee = explainFee(READER, BORROW, history, 'reader', ZONE);
    expect(fee.sentences).toEqual([
      'Your 2 books were due on 2026-03-01 and were 3 days late on 2026-03-04: 3 days × 2 books × 0.50 PLN = 3.00 PLN.',
      '3.00 PLN is still to pay.',
    ]);
    expect(fee).toMatchObject({ charged: 3, paid: 0, due: 3, payments: [] });
    expect(fee.charges).toEqual([
      {
        revision: 7,
        chargedAt: '2026-03-04T09:00:00.000Z',
        dueDate: '2026-03-01T22:59:59.999Z',
        reason: 'overdue',
        daysLate: 3,
        books: 2,
        policyVersion: 1,
        calendar: { timeZone: ZONE, dueDay: '2026-03-01', chargedDay: '2026-03-04' },
        rate: 0.5,
        cap: 50,
        computed: 3,
        capped: false,
        total: 3,
        amount: 3,
        addsUp: true,
        sentence: fee.sentences[0],
      },
    ]);
  });

  it('tells further charges, payments, the return and the cap, in the words of staff', () => {
    const history = events(
      ...lent([1]),
      late('2026-03-01T23:00:00.000Z'),
      late('2026-03-03T09:00:00.000Z'),
      paid(100, '2026-03-03T12:00:00.000Z'),
      late('2026-09-01T09:00:00.000Z'),
      paid(4900, '2026-09-01T12:00:00.000Z'),
      { type: 'ReturnBooks', ...DESK, bookIds: [1], at: '2026-09-01T12:30:00.000Z' },
    );
    const fee = explainFee(READER, BORROW, history, 'staff', ZONE);
    expect(fee.sentences).toEqual([
      'The book was due on 2026-03-01 and was 1 day late on 2026-03-02: 1 day × 1 book × 0.50 PLN = 0.50 PLN.',
      'The book was due on 2026-03-01 and was 2 days late on 2026-03-03: 2 days × 1 book × 0.50 PLN = 1.00 PLN. 0.50 PLN had been charged before, so 0.50 PLN was added.',
      'The reader paid 1.00 PLN on 2026-03-03.',
      'The book was due on 2026-03-01 and was 184 days late on 2026-09-01: 184 days × 1 book × 0.50 PLN = 92.00 PLN, but a borrow never costs more than 50.00 PLN, so the fee is 50.00 PLN. 1.00 PLN had been charged before, so 49.00 PLN was added.',
      'The reader paid 49.00 PLN on 2026-09-01.',
      'The book came back on 2026-09-01, which ended the borrow.',
      'Nothing is left to pay.',
    ]);
    expect(fee.charges.map(({ capped, amount, addsUp }) => [capped, amount, addsUp])).toEqual([
      [false, 0.5, true],
      [false, 0.5, true],
      [true, 49, true],
    ]);
    expect(fee).toMatchObject({ charged: 50, paid: 50, due: 0 });
  });

  it('says where a recorded amount is not what the rules make of it', () => {
    const history = events(...lent([1, 2]), late('2026-03-04T09:00:00.000Z')).map(
      ({ revision, event }): NumberedEvent =>
        event.type === 'FineCharged'
          ? { revision, event: { ...event, data: { ...event.data, total: 400, amount: 400 } } }
          : { revision, event },
    );
    const [charge] = explainFee(READER, BORROW, history, 'staff', ZONE).charges;
    expect(charge).toMatchObject({ addsUp: false, total: 4, computed: 3 });
    expect(charge?.sentence).toContain(
      'Recorded is 4.00 PLN. Under the rules it would have been 3.00 PLN in all.',
    );
  });

  it('uses the rules of the version that the charge names, and says when it does not know them', () => {
    const history = events(...lent([1, 2]), late('2026-03-04T09:00:00.000Z'));
    const dearer = { ...BORROW_POLICY, finePerBookAndDay: 75 };
    const [charge] = explainFee(READER, BORROW, history, 'reader', ZONE, () => dearer).charges;
    expect(charge).toMatchObject({ rate: 0.75, computed: 4.5, addsUp: false });
    const [unknown] = explainFee(READER, BORROW, history, 'reader', ZONE, () => undefined).charges;
    expect(unknown).toMatchObject({ rate: null, cap: null, computed: null, addsUp: null, amount: 3 });
    expect(unknown?.sentence).toContain('rules of version 1, which this release does not know');
  });

  it('names the days by which a charge was counted, though the library has another time zone since', () => {
    const history = events(
      ...lent([1]),
      late('2026-03-03T23:30:00.000Z'),
      paid(150, '2026-03-04T23:30:00.000Z'),
    );
    expect(explainFee(READER, BORROW, history, 'reader', 'America/New_York').sentences).toEqual([
      'Your book was due on 2026-03-01 and was 3 days late on 2026-03-04: 3 days × 1 book × 0.50 PLN = 1.50 PLN.',
      'You paid 1.50 PLN on 2026-03-04.',
      'Nothing is left to pay.',
    ]);
    expect(explainFee(READER, BORROW, history, 'reader', ZONE).sentences[1]).toBe(
      'You paid 1.50 PLN on 2026-03-05.',
    );
  });

  it('says where the days that a charge names are not as many as it says', () => {
    const history = events(...lent([1]), late('2026-03-04T09:00:00.000Z')).map(
      ({ revision, event }): NumberedEvent =>
        event.type === 'FineCharged'
          ? {
              revision,
              event: {
                ...event,
                data: { ...event.data, calendar: { ...event.data.calendar, chargedDay: '2026-03-03' } },
              },
            }
          : { revision, event },
    );
    expect(explainFee(READER, BORROW, history, 'staff', ZONE).charges).toMatchObject([{ addsUp: false }]);
  });
});
