import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import {
  BORROW,
  books,
  but,
  charged,
  day,
  end,
  found,
  gone,
  issued,
  LIBRARIAN,
  paid,
  READER,
  refunded,
  rented,
  renewed,
  returned,
  takenBack,
  waived,
} from '../../test-support/arbitraries/borrow-history.js';
import { BORROW_POLICY, type BorrowPolicy } from '../rules/borrow.policy.js';
import { explainFee, type Audience } from './fee-explanation.js';

const undone = { borrowId: BORROW, undoneBy: LIBRARIAN, undoneAt: day(20) };
const late = [rented(), issued(), charged(200, 200, 2, day(18))];

function explained(
  history: readonly BorrowEvent[],
  voice: Audience = 'staff',
  by?: string,
  policyOf: (version: number) => BorrowPolicy | undefined = () => BORROW_POLICY,
) {
  const events = history.map((event, revision) => ({ revision, event, ...(by !== undefined && { by }) }));
  return explainFee(READER, BORROW, events, voice, 'UTC', policyOf);
}

describe('each step of a fee', () => {
  const steps: [event: BorrowEvent, sentence?: string][] = [
    [rented()],
    [issued()],
    [
      charged(200, 200, 2, day(18)),
      'The 2 books were due on 2026-11-16 and were 2 days late on 2026-11-18: 2 days × 2 books × 0.50 PLN = 2.00 PLN.',
    ],
    [waived(50), '0.50 PLN of the fee was waived on 2026-11-18 by Maria Lis: because of illness.'],
    [
      { type: 'WaiverUndone', data: { ...undone, revision: 3, amount: 50 } },
      'On 2026-11-20 the waiver of 0.50 PLN was undone by Maria Lis.',
    ],
    [paid(200, 'desk'), 'The reader paid 2.00 PLN at the desk on 2026-11-18, received by Maria Lis.'],
    [
      { type: 'PaymentUndone', data: { ...undone, revision: 5, amount: 200, transactionId: 'tx-1' } },
      'On 2026-11-20 the payment of 2.00 PLN was undone by Maria Lis.',
    ],
    [
      gone('BookLost', 3990, 1, day(18)),
      'On 2026-11-18 “Book 1” was marked lost by Maria Lis: 49.90 PLN was charged, by its price of 39.90 PLN and a fee of 10.00 PLN.',
    ],
    [paid(5190), 'The reader paid 51.90 PLN on 2026-11-18.'],
    [found(), 'On 2026-11-20 “Book 1” was found by Maria Lis, and the charge of 49.90 PLN was cancelled.'],
    [
      { type: 'FindingUndone', data: { ...undone, revision: 9, bookId: 1, amount: 4990 } },
      'On 2026-11-20 it was undone by Maria Lis that “Book 1” was found, and its charge of 49.90 PLN is due again.',
    ],
    [found(), 'On 2026-11-20 “Book 1” was found by Maria Lis, and the charge of 49.90 PLN was cancelled.'],
    [refunded(4000), '40.00 PLN was refunded to the reader at the desk on 2026-11-20 by Maria Lis.'],
    [
      { type: 'RefundUndone', data: { ...undone, revision: 12, amount: 4000, transactionId: 'tx-1' } },
      'On 2026-11-20 the giving back of 40.00 PLN was undone by Maria Lis.',
    ],
    [
      gone('BookDamaged', null, 2, day(18)),
      'On 2026-11-18 “Book 2” was marked damaged by Maria Lis: 50.00 PLN was charged, by the set amount of 40.00 PLN and a fee of 10.00 PLN.',
    ],
    [
      { type: 'LossUndone', data: { ...undone, revision: 14, bookId: 2, amount: 5000 } },
      'On 2026-11-20 it was undone by Maria Lis that “Book 2” is gone, and the charge of 50.00 PLN was cancelled.',
    ],
  ];
  const history = steps.map(([event]) => event);
  const sentences = steps.flatMap(([, sentence]) => sentence ?? []);
  const rest = ['49.90 PLN paid by the reader is to be refunded.', 'Nothing is left to pay.'];

  it('has its sentence, with the name of who did it where that is known', () => {
    expect(explained(history, 'staff', 'Maria Lis').sentences).toEqual([...sentences, ...rest]);
    const nameless = sentences.map((each) => each.replace(/(, received)? by Maria Lis/, ''));
    expect(explained(history).sentences).toEqual([...nameless, ...rest]);
  });

  it('is told to the reader as theirs', () => {
    const told = explained(history, 'reader').sentences;
    expect(told[0]).toMatch(/^Your 2 books were due/);
    expect(told).toEqual(
      expect.arrayContaining([
        'You paid 2.00 PLN at the desk on 2026-11-18.',
        'You paid 51.90 PLN on 2026-11-18.',
        '40.00 PLN was refunded to you at the desk on 2026-11-20.',
        '49.90 PLN paid by you is to be refunded.',
      ]),
    );
  });

  it('is in the list of its kind, and adds to the sums', () => {
    const fee = explained(history, 'staff', 'Maria Lis');
    const of = (revision: number, rest: object) => ({ revision, sentence: steps[revision]?.[1], ...rest });
    const bought = { reportedAt: day(18), policyVersion: 1, addsUp: true };
    expect(fee).toEqual({
      ...{ borrowId: BORROW, readerId: READER, charged: 2, paid: 51.9, waived: 0, due: 0, refund: 49.9 },
      sentences: [...sentences, ...rest],
      charges: [
        of(2, {
          ...{
            chargedAt: day(18),
            dueDate: end(16),
            reason: 'overdue',
            daysLate: 2,
            books: 2,
            policyVersion: 1,
          },
          calendar: { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: '2026-11-18' },
          ...{ rate: 0.5, cap: 50, computed: 2, capped: false, total: 2, amount: 2, addsUp: true },
        }),
      ],
      payments: [
        of(5, { paidAt: day(18), amount: 2, provider: 'desk' }),
        of(8, { paidAt: day(18), amount: 51.9, provider: 'sandbox' }),
      ],
      waivers: [of(3, { waivedAt: day(18), amount: 0.5, reason: 'illness' })],
      corrections: [
        of(4, { undoneAt: day(20), amount: 0.5 }),
        of(6, { undoneAt: day(20), amount: 2 }),
        of(10, { undoneAt: day(20), amount: 49.9 }),
        of(13, { undoneAt: day(20), amount: 40 }),
      ],
      losses: [of(7, { ...bought, bookId: 1, amount: 49.9 }), of(14, { ...bought, bookId: 2, amount: 50 })],
      takenBack: [9, 11, 15].map((revision) =>
        of(revision, { takenBackAt: day(20), amount: revision === 15 ? 50 : 49.9 }),
      ),
      refunds: [of(12, { paidAt: day(20), amount: 40 })],
    });
  });

  it('is none where nothing happened', () =>
    expect(explained([])).toMatchObject({ charged: 0, paid: 0, waived: 0, due: 0, refund: 0, losses: [] }));
});

describe('what happens to a borrow with a fee', () => {
  const left = '2.00 PLN is still to pay.';
  const settled = 'Nothing is left to pay.';
  const allBack = 'Your 2 books came back on 2026-11-18, so the fee grows no more.';
  const undoing: BorrowEvent = { type: 'ReturnUndone', data: { ...undone, revision: 3, bookIds: [1, 2] } };
  it.each<[what: string, events: BorrowEvent[], sentences: string[]]>([
    ['a part comes back', [takenBack(day(18), [1])], ['1 of 2 books came back on 2026-11-18.', left]],
    ['all come back', [takenBack(day(18))], [allBack, left]],
    [
      'all come back, in parts',
      [takenBack(day(18), [1]), takenBack(day(18), [2])],
      [
        '1 of 2 books came back on 2026-11-18.',
        '1 of 2 books came back on 2026-11-18, so the fee grows no more.',
        left,
      ],
    ],
    [
      'all come back, and all is paid',
      [paid(200), returned(day(18))],
      [
        'You paid 2.00 PLN on 2026-11-18.',
        'Your 2 books came back on 2026-11-18, which ended the borrow.',
        settled,
      ],
    ],
    [
      'a return is undone',
      [takenBack(day(18)), undoing],
      [allBack, 'On 2026-11-20 the return of 2 books was undone.', left],
    ],
    [
      'it is renewed',
      [paid(200), renewed(end(30), day(18))],
      ['You paid 2.00 PLN on 2026-11-18.', 'On 2026-11-18 the borrow was renewed until 2026-11-30.', settled],
    ],
    [
      'a copy is named',
      [
        {
          type: 'CopyRebound',
          data: { borrowId: BORROW, bookId: 1, copy: 2, reboundBy: LIBRARIAN, reboundAt: day(18) },
        },
      ],
      [left],
    ],
  ])('is told: %s', (_what, events, sentences) => {
    expect(explained([...late, ...events], 'reader').sentences.slice(1)).toEqual(sentences);
  });
  it('is not told before there is a fee', () =>
    expect(explained([rented(), issued(), renewed(end(24)), returned()]).sentences).toEqual([
      'There is no fee on this borrow.',
    ]));
});

describe('how a fee came about', () => {
  type Rules = Partial<BorrowPolicy> | null;
  type Charge = Partial<BorrowEvent<'FineCharged'>['data']>;
  const version = { policyVersion: 2 };
  const shortLoan = { bookId: 1, title: 'Book 1', kind: 'short-loan' as const };
  const lent = [rented(), but(issued(), version)];
  const halfBack = [...lent, returned(day(18), [1])];
  const lentChild = [
    but(rented(), { books: [shortLoan, ...books(2)] }),
    but(issued(), { ...version, readerKind: 'child' }),
  ];
  const before = [...lent, but(charged(100, 100, 1, day(17)), version)];

  /** By the second version of the rules, which are like the first but for some numbers; null: nobody knows them. */
  const explainedBy = (rules: Rules, history: BorrowEvent[]) =>
    explained(history, 'staff', undefined, (number) =>
      number === 1 ? BORROW_POLICY : rules ? { ...BORROW_POLICY, version: 2, ...rules } : undefined,
    );
  /** A charge of the 19th, three days after the due day. */
  const chargeOf = (charge: Charge, rules: Rules, history = lent) => {
    const { total = 0, amount = total } = charge;
    const event = but(charged(amount, total, 3, day(19)), { ...version, ...charge });
    return explainedBy(rules, [...history, event]).charges.at(-1);
  };
  const told = (sentence: string, rest: object = { addsUp: true }) =>
    expect.objectContaining({ ...rest, sentence: expect.stringContaining(sentence) });

  it('is told by the days and the rate of each book', () => {
    const eachDays = '(3 days × 1 book + 2 days × 1 book) × 0.50 PLN = 2.50 PLN.';
    expect(chargeOf({ total: 250 }, {}, halfBack)).toEqual(told(eachDays));
    const dearer = { reader: null, book: 'short-loan', numbers: { finePerBookAndDay: 100 } } as const;
    const rates = ': 3 days × 1 book × 1.00 PLN + 3 days × 1 book × 0.50 PLN = 4.50 PLN. (rules for: ';
    expect(chargeOf({ total: 450 }, { exceptions: [dearer] }, lentChild)).toEqual(told(rates));
  });
  it('is told without the days of grace, unless there are no others', () => {
    const after = ': 3 days × 1 book × 0.50 PLN = 1.50 PLN.';
    expect(chargeOf({ total: 150 }, { graceDays: 2 }, halfBack)).toEqual(told(after));
    expect(chargeOf({}, { graceDays: 3 })).toEqual(told(': 3 days × 2 books × 0.50 PLN = 0.00 PLN.'));
  });
  it('is told by its cap, or caps', () => {
    const cap = '= 3.00 PLN, but a borrow never costs more than 2.00 PLN, so the fee is 2.00 PLN.';
    expect(chargeOf({ total: 200 }, { fineCap: 200 })).toEqual(told(cap));
    const partly = [rented(), but(issued(BORROW, [1]), version), issued(BORROW, [2])];
    const caps = '= 3.00 PLN, but its rules allow no more, so the fee is 2.50 PLN.';
    expect(chargeOf({ total: 250 }, { fineCap: 100 }, partly)).toEqual(told(caps));
  });
  it('is told by the days on which the library was closed', () => {
    const closedDays = [{ from: '2026-11-17', to: '2026-11-17' }];
    const closed = 'the library was closed on 1 day of them, which cost nothing; 2 days × 2 books';
    expect(chargeOf({ total: 200, daysLate: 2 }, { closedDays })).toEqual(told(closed));
  });
  it('is told by what was charged before', () => {
    const added = '= 3.00 PLN. 1.00 PLN had been charged before, so 2.00 PLN was added.';
    expect(chargeOf({ total: 300, amount: 200 }, {}, before)).toEqual(told(added));
    expect(chargeOf({ total: 300 }, {}, before)).toMatchObject({ addsUp: false, amount: 3, computed: 3 });
  });
  it('is told where it is not what the rules make of it', () => {
    const other = 'Recorded is 4.00 PLN. Under the rules it would have been 3.00 PLN in all.';
    const wrong = { addsUp: false, total: 4, computed: 3 };
    expect(chargeOf({ total: 400, amount: 300 }, {})).toEqual(told(other, wrong));
    const calendar = { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: '2026-11-20' };
    expect(chargeOf({ total: 400, calendar }, {})).toMatchObject({ addsUp: false, daysLate: 3 });
    const dearer = { addsUp: false, rate: 0.75, computed: 4.5 };
    expect(chargeOf({ total: 300 }, { finePerBookAndDay: 75 })).toMatchObject(dearer);
  });
  it('is told where nobody knows its rules', () => {
    const unknown =
      '2026-11-19: a fee of 3.00 PLN was charged by rules of version 2, which this release does not know.';
    const nothing = { addsUp: null, rate: null, cap: null, computed: null };
    expect(chargeOf({ total: 300 }, null)).toEqual(told(unknown, nothing));
  });

  it('of a book that is gone is told by its price, or the set amount, and the rules for its kinds', () => {
    const lossOf = (price: number | null, amount: number, rules: Rules, history = lentChild, bookId = 1) =>
      explainedBy(rules, [...history, but(gone('BookLost', price, bookId), { amount, ...version })])
        .losses[0];
    const free = { lossFee: 0 };
    expect(lossOf(3990, 3990, free, lent)).toEqual(told('by its price of 39.90 PLN.'));
    expect(lossOf(null, 4000, free, lent)).toEqual(told('by the set amount of 40.00 PLN.'));
    expect(lossOf(3990, 4990, free)).toMatchObject({ addsUp: false });
    expect(lossOf(3990, 4990, {})).toEqual(told('a fee of 10.00 PLN (rules for: '));
    const unknown = 'by rules of version 2, which this release does not know.';
    expect(lossOf(3990, 4990, null)).toEqual(told(unknown, { addsUp: null }));
    const ofShort = { exceptions: [{ reader: null, book: 'short-loan' as const, numbers: free }] };
    expect(lossOf(3990, 4990, ofShort, lentChild, 2)).toMatchObject({ addsUp: true });
  });

  it('is told by the days by which it was counted, though the library has another time zone since', () => {
    const calendar = { timeZone: 'Europe/Warsaw', dueDay: '2026-11-16', chargedDay: '2026-11-18' };
    const charge = but(charged(200, 200, 2, day(17, '23:30:00.000')), { calendar });
    const [first, second] = explained([rented(), issued(), charge, paid(200)]).sentences;
    expect(first).toContain('due on 2026-11-16 and were 2 days late on 2026-11-18: 2 days × 2 books');
    expect(second).toBe('The reader paid 2.00 PLN on 2026-11-18.');
    const events = [rented(), issued(), charge, paid(200, 'sandbox', day(18, '23:30:00.000'))];
    const numbered = events.map((event, revision) => ({ revision, event }));
    const inWarsaw = explainFee(READER, BORROW, numbered, 'staff', 'Europe/Warsaw').sentences;
    expect(inWarsaw[1]).toBe('The reader paid 2.00 PLN on 2026-11-19.');
  });
});
