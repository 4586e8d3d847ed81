import { DomainError } from '#contracts/domain-error.js';
import { BORROW_POLICY, borrowRules, rulesIn, type BorrowPolicy } from '../rules/borrow.policy.js';
import { fold, NO_BORROWS, type Borrow, type ReaderBorrows } from './borrow-state.js';
import { availableActions, decide, type BorrowCommand } from './borrow.decider.js';
import { undoableSteps } from './undo.decider.js';

const RULES = borrowRules('UTC');
const [READER, LIBRARIAN, BORROW, OTHER] = ['reader', 'librarian', 'borrow', 'other'] as const;
const day = (n: number, time = '10:00:00.000') => `2026-11-${String(n).padStart(2, '0')}T${time}Z`;

/** A command without what is the same in all of them. */
type Short<Command = BorrowCommand> = Command extends BorrowCommand
  ? Omit<Command, 'borrowId' | 'readerId' | 'librarianId' | 'books'> &
      Partial<
        Pick<
          Command & { borrowId: string; readerId: string; librarianId: string },
          'borrowId' | 'readerId' | 'librarianId'
        >
      > & {
        books?: { bookId: number; title: string; kind?: 'reading-room' | 'short-loan' }[];
      }
  : never;
const books = (...ids: number[]) => ids.map((bookId) => ({ bookId, title: `Book ${bookId}` }));
const whole = (command: Short) =>
  ({
    borrowId: BORROW,
    readerId: READER,
    librarianId: LIBRARIAN,
    books: books(1, 2),
    ...command,
  }) as BorrowCommand;
const after = (commands: Short[], rules = RULES): ReaderBorrows =>
  commands.reduce((state, each) => fold(decide(state, whole(each), rules), state), NO_BORROWS);
const refusal = (commands: Short[], last: Short, rules = RULES) => {
  const state = after(commands, rules);
  try {
    return decide(state, whole(last), rules).map(({ type }) => type);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
};
const borrowOf = (state: ReaderBorrows) => state.borrows.get(BORROW) as Borrow;

const rent: Short = { type: 'RentBooks', at: day(1) };
const issue: Short = { type: 'IssueBooks', bookIds: [1, 2], at: day(2) };
const giveBack: Short = { type: 'ReturnBooks', bookIds: [1, 2], at: day(15) };
const charge: Short = { type: 'ChargeFine', at: day(18) };
const pay: Short = { type: 'TakePayment', amount: 200, due: 200, transactionId: 'tx', at: day(18) };
const lose: Short = { type: 'ReportLoss', bookId: 1, as: 'lost', price: 3000, at: day(5) };
const payLoss: Short = { ...pay, amount: 4000, due: 4000, at: day(5) };
const find: Short = { type: 'FindBook', bookId: 1, foundBy: LIBRARIAN, at: day(6) };
const renew: Short = { type: 'RenewBorrow', renewedBy: READER, at: day(10) };

describe('what a borrow allows', () => {
  // spec 4.12
  it.each<[what: string, commands: Short[], at: string, actions: string]>([
    ['rented', [rent], day(1), 'issue cancel'],
    ['issued, on the same day', [rent, issue], day(2), 'return take-back mark-lost'],
    ['issued', [rent, issue], day(10), 'return renew take-back mark-lost'],
    ['issued, on its due day', [rent, issue], day(16), 'return renew take-back mark-lost'],
    [
      'issued in part',
      [rent, { ...issue, bookIds: [1] }],
      day(10),
      'issue return renew cancel take-back mark-lost',
    ],
    [
      'renewed twice',
      [rent, issue, renew, { ...renew, at: day(12) }],
      day(14),
      'return renew-beyond take-back mark-lost',
    ],
    ['late, not charged yet', [rent, issue], day(17), 'return take-back mark-lost'],
    ['charged', [rent, issue, charge], day(18), 'pay take-back waive mark-lost'],
    [
      'charged, in part at the desk',
      [rent, { ...issue, bookIds: [1] }, charge],
      day(18),
      'pay cancel take-back waive mark-lost',
    ],
    ['paid', [rent, issue, charge, pay], day(18), 'return take-back mark-lost'],
    ['expired', [rent, { type: 'ExpireBorrow', at: day(6) }], day(6), ''],
    ['returned', [rent, issue, giveBack], day(15), ''],
    ['lost in part', [rent, issue, lose], day(5), 'pay take-back waive mark-lost mark-found'],
    ['damaged in part', [rent, issue, { ...lose, as: 'damaged' }], day(5), 'pay take-back waive mark-lost'],
    [
      'paid for and found',
      [rent, issue, lose, payLoss, find],
      day(6),
      'return renew take-back mark-lost refund',
    ],
  ])('%s', (_what, commands, at, actions) => {
    expect(availableActions(borrowOf(after(commands)), at, RULES).join(' ')).toBe(actions);
  });

  it('is to renew only from the day on that the rules say, as renewing itself', () => {
    const policy: BorrowPolicy = { ...BORROW_POLICY, version: 2, renewableDaysBefore: 3 };
    const rules = rulesIn('UTC', policy, () => policy);
    const lent = [rent, issue];
    for (const [at, isAllowed] of [
      [day(12, '23:59:59.999'), false],
      [day(13, '00:00:00.000'), true],
    ] as const) {
      expect(availableActions(borrowOf(after(lent, rules)), at, rules)).toContain(
        isAllowed ? 'renew' : 'renew-beyond',
      );
      expect(refusal(lent, { ...renew, at }, rules)).toEqual(
        isAllowed ? ['BorrowRenewed'] : 'RenewalTooEarly',
      );
    }
  });
});

it('a renewal that names nothing is a repeat for ten minutes', () => {
  const again = (at: string): Short => ({ ...renew, mayBeRepeat: true, at });
  expect(refusal([rent, issue, renew], again(day(10, '10:09:59.000')))).toEqual([]);
  expect(refusal([rent, issue, renew], again(day(10, '10:10:00.001')))).toBe('RenewalTooEarly');
});

it('a borrow of several kinds is lent, renewed and renewable as its shortest book', () => {
  const short = { reader: null, book: 'short-loan', numbers: { loanDays: 7, maxRenewals: 1 } } as const;
  const policy: BorrowPolicy = { ...BORROW_POLICY, version: 2, exceptions: [short] };
  const rules = rulesIn('UTC', policy, () => policy);
  const mixed = {
    ...rent,
    books: [{ bookId: 1, title: 'Book 1', kind: 'short-loan' as const }, ...books(2)],
  };
  const lent = [mixed, issue];
  expect(borrowOf(after(lent, rules)).dueDate).toBe(day(9, '23:59:59.999'));
  expect(refusal(lent, { ...renew, at: day(9) }, rules)).toEqual(['BorrowRenewed']);
  expect(refusal(lent, { ...renew, at: day(10) }, rules)).toBe('BorrowOverdue');
  expect(refusal([...lent, { ...renew, at: day(9) }], renew, rules)).toBe('RenewalsUsedUp');
});

describe('what can be undone', () => {
  const offers = (commands: Short[], at: string) => {
    const { recent, books: some } = borrowOf(after(commands));
    return undoableSteps({ recent, books: some }, at, RULES).map(({ what, until, bookIds }) => [
      what,
      until,
      bookIds,
    ]);
  };
  const until = day(2, '10:10:00.000');

  it('is offered for ten minutes to the millisecond, as far as nothing is in the way', () => {
    expect(offers([rent], day(1))).toEqual([]);
    expect(offers([rent, issue], until)).toEqual([['issue', until, [1, 2]]]);
    expect(offers([rent, issue], day(2, '10:10:00.001'))).toEqual([]);
    const back: Short = { ...giveBack, bookIds: [1], at: day(2, '10:05:00.000') };
    expect(offers([rent, issue, back], until)).toEqual([['return', day(2, '10:15:00.000'), [1]]]);
    const online: Short = {
      type: 'RecordPayment',
      amount: 200,
      transactionId: 'tx',
      provider: 'stripe',
      at: day(18),
    };
    expect(offers([rent, issue, charge, online], day(18))).toEqual([]);
    expect(offers([rent, issue, charge, pay], day(18))).toEqual([['payment', day(18, '10:10:00.000'), []]]);
  });

  const undo = (revision: number, at: string): Short => ({ type: 'Undo', revision, at });

  it('is undone until its last millisecond, by whoever it gives nothing, and where the other books are not in it', () => {
    expect(refusal([rent, issue], undo(1, until))).toEqual(['IssueUndone']);
    expect(refusal([rent, issue], { ...undo(1, until), librarianId: READER })).toEqual(['IssueUndone']);
    expect(refusal([rent, issue, lose], { ...undo(2, day(5)), librarianId: READER })).toBe('OwnFee');
    const one: Short = { ...issue, bookIds: [1], at: day(1) };
    const two: Short = { ...issue, bookIds: [2] };
    expect(refusal([rent, one, two], undo(2, day(2)))).toEqual(['IssueUndone']);
    const oneBack: Short = { ...giveBack, bookIds: [1], at: day(2) };
    const twoBack: Short = { ...giveBack, bookIds: [2], at: day(2) };
    expect(refusal([rent, one, oneBack, two], undo(3, day(2)))).toEqual(['IssueUndone']);
    expect(refusal([rent, issue, oneBack, twoBack], undo(2, day(2)))).toEqual(['ReturnUndone']);
  });

  it('is not what would give the reader more books than they may have', () => {
    const others = (count: number, at: string): Short[] => [
      {
        type: 'RentBooks',
        borrowId: OTHER,
        at,
        books: books(...Array.from({ length: count }, (_, n) => 11 + n)),
      },
    ];
    const back = [rent, issue, giveBack];
    expect(refusal([...back, ...others(8, day(15))], undo(2, day(15)))).toEqual(['ReturnUndone']);
    expect(refusal([...back, ...others(9, day(15))], undo(2, day(15)))).toBe('UndoBlocked');
    const damaged: Short[] = [1, 2].map((bookId) => ({ ...lose, bookId, as: 'damaged', price: 0 }));
    const waived: Short[] = [
      { type: 'WaiveFee', amount: 2000, reason: 'other', upTo: null, at: day(5, '10:00:01.000') },
    ];
    const undone: Short[] = [undo(4, day(5, '10:00:02.000'))];
    const paidFor = [rent, issue, ...damaged, ...waived];
    const moment = day(5, '10:00:02.000');
    const undoneWith = (count: number) =>
      refusal([...paidFor, ...others(count, moment), ...undone], undo(3, moment));
    expect(undoneWith(9)).toEqual(['LossUndone']);
    expect(undoneWith(10)).toBe('UndoBlocked');
  });

  it('is given up for the books that are named alone', () => {
    const abandon: Short = { type: 'AbandonUndo', bookIds: [2], at: day(15) };
    const [event] = decide(after([rent, issue, giveBack]), whole(abandon), RULES);
    expect(event?.data).toMatchObject({ bookIds: [2] });
  });
});

describe('the first rule that is broken is the one that is told', () => {
  const room = [{ bookId: 1, title: 'Atlas', kind: 'reading-room' as const }];
  const ten: Short = {
    type: 'RentBooks',
    borrowId: OTHER,
    at: day(1),
    books: books(...Array.from({ length: 9 }, (_, n) => 11 + n)),
  };
  const lend: Short = { type: 'LendBooks', at: day(1), books: books(1) };

  it.each<[what: string, commands: Short[], last: Short, outcome: string | string[]]>([
    ['renting what is for the reading room', [], { ...rent, books: room }, 'ReadingRoomOnly'],
    ['lending what is for the reading room', [], { ...lend, books: room }, 'ReadingRoomOnly'],
    ['lending the tenth book', [ten], lend, ['BooksRented', 'BooksIssued']],
    ['lending the eleventh', [ten], { ...lend, books: books(1, 2) }, 'LimitReached'],
    [
      'issuing an unknown book of what is issued',
      [rent, issue],
      { ...issue, bookIds: [9] },
      'BorrowNotRented',
    ],
    [
      'issuing while a fee is unpaid',
      [rent, { ...issue, bookIds: [1] }, charge],
      { ...issue, bookIds: [2], at: day(18) },
      'FeeNotPaid',
    ],
    [
      'returning an unknown book of what is not issued',
      [rent],
      { ...giveBack, bookIds: [9] },
      'BorrowNotIssued',
    ],
    ['taking it back', [rent], { type: 'TakeBackBooks', bookIds: [9], at: day(3) }, 'BorrowNotIssued'],
  ])('%s', (_what, commands, last, outcome) => {
    expect(refusal(commands, last)).toEqual(outcome);
  });

  it('lending says that nothing was lent', () => {
    expect(() => decide(NO_BORROWS, whole({ ...lend, books: room }), RULES)).toThrow('Nothing was lent.');
    const eleven = whole({ ...lend, books: books(1, 2) });
    expect(() => decide(after([ten]), eleven, RULES)).toThrow(/and this one has 9\. Nothing was lent\./);
  });

  it('a borrow is called by words', () => {
    expect(() =>
      decide(
        after([
          rent,
          { ...issue, bookIds: [1] },
          charge,
          { type: 'CancelRent', cancelledBy: READER, at: day(18) },
        ]),
        whole({ ...issue, at: day(18) }),
        RULES,
      ),
    ).toThrow('this one is not paid.');
  });
});
