import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import {
  abandoned,
  BORROW,
  books,
  borrowAfter,
  borrowsIn,
  bring,
  but,
  cancelled,
  charge,
  charged,
  day,
  end,
  expired,
  giveBack,
  issue,
  issued,
  LIBRARIAN,
  OTHER,
  paid,
  READER,
  renew,
  rent,
  rented,
  renewed,
  returned,
  take,
  takenBack,
  type Short,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf } from '../../test-support/product/decider-specification.js';
import { isOpen, isUndone } from './borrow-state.js';

const given = borrowsIn('UTC');
const midnight = (n: number) => day(n, '00:00:00.000');
const ofOther = (event: BorrowEvent) => but(event, { borrowId: OTHER });
const others = (count: number) =>
  rented(
    OTHER,
    Array.from({ length: count }, (_, n) => 11 + n),
  );
/** Of another borrow, a book that is late from the 17th on. */
const otherLent = [rented(OTHER, [9]), issued(OTHER, [9])];
const otherCharged = ofOther(charged(50, 50, 1, day(17)));
const lent = [rented(), issued()];
const chargedOnce = [...lent, charged(100, 100, 1, day(17))];
const room = [{ bookId: 1, title: 'Atlas', kind: 'reading-room' as const }];
const abandon: Short = { type: 'AbandonRent', at: day(1) };

describe('renting', () => {
  const short = [{ bookId: 1, title: 'Book 1', kind: 'short-loan' as const }];
  casesOf(given, [
    ['holds the books for three days', [], rent(), [rented()]],
    [
      'says of which kinds reader and books are',
      [],
      { ...rent(), books: short, readerKind: 'child' },
      [but(rented(), { books: short, readerKind: 'child' })],
    ],
    ['is refused for the reading room', [], { ...rent(), books: room }, 'ReadingRoomOnly'],
    ['is refused while a fee is unpaid', [...otherLent, otherCharged], rent(), 'FeeNotPaid'],
    ['is refused while books are late', otherLent, rent([1], BORROW, midnight(17)), 'FeeNotPaid'],
    [
      'is refused once another day has begun since the fee was paid',
      [...otherLent, otherCharged, ofOther(paid(50))],
      rent([1], BORROW, midnight(18)),
      'FeeNotPaid',
    ],
    ['is refused for a book that the reader has', [rented(OTHER, [1])], rent(), 'BookAlreadyBorrowed'],
    ['is refused for the same book twice', [], rent([1, 1]), 'BookAlreadyBorrowed'],
    [
      'is allowed again once the book is back',
      [rented(OTHER, [1]), ofOther(expired([1]))],
      rent([1]),
      [rented(BORROW, [1])],
    ],
    ['is allowed up to ten books at once', [others(8)], rent(), [rented()]],
    ['is refused beyond ten books at once', [others(9)], rent(), 'TooManyBooks'],
    ['is refused once it was given up', [abandoned], rent(), 'RentAbandoned'],
    ['is refused where it is already recorded', [rented()], rent([5]), 'ConcurrentChange'],
    ['is given up by a fence', [], abandon, [abandoned]],
    ['is not given up where it is stored', [rented()], abandon, []],
    ['is not given up twice', [abandoned], abandon, []],
  ]);
});

describe('issuing', () => {
  const part = [rented(), issued(BORROW, [1]), charged(100, 100, 2, day(18))];
  casesOf(given, [
    // spec 9.1
    ['lends a rented borrow for 14 days', [rented()], issue(), [issued()]],
    ['takes the books in any order', [rented()], issue([2, 1]), [issued(BORROW, [2, 1])]],
    ['is refused for an unknown borrow', [], issue(), 'BorrowNotFound'],
    ['is refused twice', lent, issue(), 'BorrowNotRented'],
    ['is refused twice, whatever the book', lent, issue([9]), 'BorrowNotRented'],
    ['is refused once expired', [rented(), expired()], issue(), 'BorrowNotRented'],
    ['is refused for one book more', [rented()], issue([1, 2, 3]), 'BooksDoNotMatch'],
    ['is refused for another book', [rented()], issue([3]), 'BooksDoNotMatch'],
    ['is refused for one book twice', [rented()], issue([1, 1]), 'BooksDoNotMatch'],
    ['is refused while a fee is unpaid', part, issue([2], day(18)), 'FeeNotPaid'],
  ]);
  it('calls the borrow by a word', () =>
    given(...part, cancelled([2])).refuses(issue(), 'BorrowNotRented', 'this one is not paid.'));
});

describe('lending at the desk', () => {
  const lend = (bookIds = [1, 2]): Extract<Short, { type: 'LendBooks' }> => ({
    ...{ type: 'LendBooks', books: books(...bookIds), at: day(1) },
  });
  const handedOver = but(issued(), { issuedAt: day(1), dueDate: end(15) });
  const beyond = (reason: 'study' | 'goodwill' | 'class', ...limits: ('books' | 'block' | 'fee')[]) => ({
    beyond: { limits, reason },
  });
  const late = [
    rented(OTHER, [3]),
    but(issued(OTHER, [3]), { issuedAt: day(1), dueDate: '2026-10-30T23:59:59.999Z' }),
  ];
  const blocked = { ...lend(), blocked: 'This reader is blocked.' };
  const kept = [
    others(10),
    ofOther(issued(OTHER, [11, 12, 13, 14, 15, 16, 17, 18, 19, 20])),
    rented(BORROW, [1]),
  ];

  casesOf(given, [
    ['rents and issues at once', [], lend(), [rented(), handedOver]],
    ['is allowed up to ten books at once', [others(8)], lend(), [rented(), handedOver]],
    ['is refused beyond them', [others(9)], lend(), 'LimitReached'],
    [
      'goes beyond them with a reason',
      [others(9)],
      { ...lend(), beyondLimit: 'study' },
      [rented(), but(handedOver, beyond('study', 'books'))],
    ],
    ['is refused beyond them for a copy that was kept, too', kept, issue([1]), 'LimitReached'],
    [
      'goes beyond them with a reason for a copy that was kept',
      kept,
      { ...issue([1]), beyondLimit: 'class' },
      [but(issued(BORROW, [1]), beyond('class', 'books'))],
    ],
    ['is refused for a blocked reader', late, blocked, 'ReaderBlocked'],
    [
      'goes beyond a block and a fee with a reason, and says beyond which',
      late,
      { ...blocked, beyondLimit: 'goodwill' },
      [rented(), but(handedOver, beyond('goodwill', 'block', 'fee'))],
    ],
    ['has a reason that is not needed', [], { ...lend(), beyondLimit: 'study' }, [rented(), handedOver]],
    ['is refused once it was given up', [abandoned], lend(), 'RentAbandoned'],
    ['is refused for the same book twice', [], lend([1, 1]), 'BookAlreadyBorrowed'],
  ]);
  it('is refused to a blocked reader for what they rented, too', () =>
    given(rented()).refuses({ ...issue(), blocked: 'This reader is blocked.' }, 'ReaderBlocked'));
  it('says what is to be done where it is refused', () => {
    const waiting = [rented(OTHER, [2])];
    given(...waiting).refuses(lend(), 'BookAlreadyBorrowed', 'rented “Book 2” and it is waiting for them');
    given(...waiting, issued(OTHER, [2])).refuses(lend(), 'BookAlreadyBorrowed', 'has “Book 2” already');
    given(...late).refuses(lend(), 'FeeNotPaid', '1.00 PLN must be paid first. Nothing was lent.');
    given(others(9)).refuses(lend(), 'LimitReached', 'and this one has 9. Nothing was lent.');
    given().refuses({ ...lend(), books: room }, 'ReadingRoomOnly', 'Nothing was lent.');
  });
  it('is undone as a whole: nothing waits at the desk afterwards', () => {
    const at = day(1, '10:05:00.000');
    const by = { borrowId: BORROW, bookIds: [1, 2] };
    const undone: BorrowEvent[] = [
      {
        type: 'IssueUndone',
        data: { ...by, revision: 1, dueDate: null, undoneBy: LIBRARIAN, undoneAt: at },
      },
      { type: 'RentCancelled', data: { ...by, cancelledBy: LIBRARIAN, cancelledAt: at, undone: true } },
    ];
    given(rented(), handedOver).decides({ type: 'Undo', revision: 1, at }, ...undone);
    expect(isUndone(borrowAfter(rented(), handedOver, ...undone))).toBe(true);
    expect(
      isUndone(borrowAfter(rented(), handedOver, returned(), but(cancelled([1]), { undone: true }))),
    ).toBe(false);
  });
});

describe('returning', () => {
  const capped = [...lent, charged(5000, 5000, 60, day(17)), paid(5000)];
  const nextYear = '2027-12-16T10:00:00.000Z';
  casesOf(given, [
    ['ends an issued borrow', lent, giveBack(), [returned()]],
    ['is refused before the books were issued', [rented()], giveBack(), 'BorrowNotIssued'],
    ['is refused before that, whatever the book', [rented()], giveBack(day(15), [9]), 'BorrowNotIssued'],
    ['is refused twice', [...lent, returned()], giveBack(), 'BorrowNotIssued'],
    ['is refused while the fee is unpaid', chargedOnce, giveBack(day(17)), 'FeeNotPaid'],
    ['is allowed once the fee is paid', [...chargedOnce, paid(100)], giveBack(day(17)), [returned(day(17))]],
    ['is allowed at the end of the due day', lent, giveBack(end(16)), [returned(end(16))]],
    ['is refused a moment later: late is never free', lent, giveBack(midnight(17)), 'FeeNotPaid'],
    [
      'is refused once another day has begun since the fee was paid',
      [...chargedOnce, paid(100)],
      giveBack(midnight(18)),
      'FeeNotPaid',
    ],
    ['is allowed beyond the cap once that is paid', capped, giveBack(nextYear), [returned(nextYear)]],
    ['is refused for other books', lent, giveBack(day(15), [1, 3]), 'BooksDoNotMatch'],
  ]);
});

describe('renewing', () => {
  const once = [...lent, renewed(day(20))];
  const twice = [...once, renewed(day(25))];
  const twiceEarlier = [...once, renewed(day(23))];
  const naming = (dueDate: string, at = day(11)) => ({ ...renew(at), dueDate });
  const anyway = (at?: string, waitedFor: string[] = []) =>
    ({ ...renew(at), beyondLimit: 'study', waitedFor }) as const;
  const unnamed = (at: string) => ({ ...renew(day(10, at)), mayBeRepeat: true });
  const beyond = { limits: ['renewals' as const], reason: 'study' as const };
  casesOf(given, [
    // spec 9.1
    ['lends for 14 days from the day of the renewal', lent, renew(), [renewed(end(24))]],
    ['is refused where that gives no day more', lent, renew(day(2, '23:00:00.000')), 'RenewalTooEarly'],
    [
      'never takes a day that earlier rules gave',
      [...lent, renewed(end(30))],
      renew(day(11)),
      'RenewalTooEarly',
    ],
    ['is allowed until the end of the due day', lent, renew(end(16)), [renewed(end(30), end(16))]],
    ['is refused a moment later', lent, renew(midnight(17)), 'BorrowOverdue'],
    ['is refused a third time', twice, renew(), 'RenewalsUsedUp'],
    ['goes beyond their number with a reason', twiceEarlier, anyway(), [but(renewed(end(24)), { beyond })]],
    ['goes beyond nobody who waits', twiceEarlier, anyway(day(10), ['Solaris']), 'SomebodyWaits'],
    ['goes beyond no lack of days', lent, anyway(day(2)), 'RenewalTooEarly'],
    ['goes beyond no lateness', lent, anyway(day(17)), 'BorrowOverdue'],
    ['goes beyond no fee', chargedOnce, anyway(), 'FeeNotPaid'],
    ['is refused while a fee is unpaid', chargedOnce, renew(), 'FeeNotPaid'],
    [
      'extends the due date that it names, in whatever zone that is written',
      lent,
      naming('2026-11-17T01:59:59.999+02:00', day(10)),
      [renewed(end(24))],
    ],
    ['extends a due date once', twice, naming(end(16)), []],
    ['extends a due date once, of the later ones too', twice, naming(day(20)), []],
    ['extends it once even where that is long past', [...twice, returned()], naming(end(16), day(29)), []],
    ['is refused a third time for the due date of now', twice, naming(day(25)), 'RenewalsUsedUp'],
    ['is refused where the borrow never had that due date', once, naming(day(17)), 'DueDateUnknown'],
    ['is taken for a repeat within ten minutes where it names nothing', once, unnamed('10:09:59.999'), []],
    ['is a new one after them', once, unnamed('10:10:00.000'), [renewed(end(24), day(10, '10:10:00.000'))]],
    [
      'is a new one at once where it says so',
      once,
      renew(day(10, '10:00:00.001')),
      [renewed(end(24), day(10, '10:00:00.001'))],
    ],
    ['is refused before issue', [rented()], renew(), 'BorrowNotIssued'],
    ['is refused after return', [...lent, returned()], renew(), 'BorrowNotIssued'],
  ]);
});

describe('a borrow in parts', () => {
  const first = [rented(), issued(BORROW, [1])];
  const firstBack = [...lent, returned(day(15), [1])];
  const statusOf = (...events: BorrowEvent[]) => borrowAfter(...events).status;
  /** One is two days late when it is brought, the other three. */
  const late = [...lent, charged(200, 200, 2, day(18)), paid(200), returned(day(18), [1])];
  const due = but(issued(BORROW, [2]), { issuedAt: day(3), dueDate: end(17) });
  casesOf(given, [
    ['is issued book by book', [rented()], issue([2]), [issued(BORROW, [2])]],
    ['has one due day, which the later book moves', first, issue([2], day(3)), [due]],
    ['passes over what is issued already', first, issue(), [issued(BORROW, [2])]],
    ['is refused where nothing is left to issue', first, issue([1]), 'BorrowNotRented'],
    ['passes over what is back already', firstBack, giveBack(), [returned(day(15), [2])]],
    ['is refused where nothing is left to give back', firstBack, giveBack(day(15), [1]), 'BorrowNotIssued'],
    ['passes over what was never issued', first, giveBack(), [returned(day(15), [1])]],
    ['expires for what was not collected', first, { type: 'ExpireBorrow', at: day(5) }, [expired([2])]],
    ['costs for each late book its own days', late, charge(day(19)), [charged(50, 250, 3, day(19))]],
    ['costs nothing for what is back', firstBack, charge(day(19)), [charged(150, 150, 3, day(19))]],
    ['costs nothing for what was never issued', first, charge(day(19)), [charged(150, 150, 3, day(19))]],
  ]);
  it('stays issued until its last book is back', () => {
    expect(statusOf(...first)).toBe('Issued');
    expect(statusOf(...firstBack)).toBe('Issued');
    expect(statusOf(...first, returned(day(15), [1]))).toBe('Issued');
    expect(statusOf(...firstBack, returned(day(15), [2]))).toBe('Returned');
  });
  it('goes on, or has ended, once the rest has expired', () => {
    expect(statusOf(...first, expired([2]))).toBe('Issued');
    expect(statusOf(...first, returned(day(15), [1]), expired([2]))).toBe('Returned');
    expect(statusOf(rented(), expired([2]))).toBe('Rented');
  });
});

describe('taking back at the desk', () => {
  const chargedTwice = [...lent, charged(200, 200, 2, day(18))];
  const late = [...chargedTwice, takenBack(day(18))];
  const part = [...chargedTwice, takenBack(day(18), [1])];
  casesOf(given, [
    ['is a return where nothing is owed', lent, bring(), [returned()]],
    [
      'charges what is late by now, and leaves it to be paid',
      lent,
      bring(day(18)),
      [charged(200, 200, 2, day(18)), takenBack(day(18))],
    ],
    ['takes a part', chargedTwice, bring(day(18), [1]), [takenBack(day(18), [1])]],
    ['goes on costing for the rest', part, charge(day(20)), [charged(100, 300, 4, day(20))]],
    ['costs no more once all is back', late, charge(day(25)), 'BorrowNotIssued'],
    ['is paid for later', late, take(200, day(25)), [paid(200, 'desk', day(25))]],
    ['keeps the reader from renting until that', late, rent([5], OTHER, day(19)), 'FeeNotPaid'],
    ['lets them rent afterwards', [...late, paid(200)], rent([1, 2], OTHER), [rented(OTHER)]],
    ['is refused for what is back', late, bring(day(19)), 'BorrowNotIssued'],
    ['is refused for what was never issued', [rented()], bring(day(3), [9]), 'BorrowNotIssued'],
    ['is refused for a book of another borrow', lent, bring(day(15), [7]), 'BooksDoNotMatch'],
  ]);
  it('frees the copies at once, and is returned with the payment', () => {
    const owed = borrowAfter(...late);
    expect([owed.status, isOpen(owed), owed.returnedAt]).toEqual(['Not_Paid', false, day(18)]);
    expect(borrowAfter(...late, paid(200)).status).toBe('Returned');
  });
});

describe('cancelling a rent', () => {
  const cancel: Short = { type: 'CancelRent', cancelledBy: READER, at: day(2) };
  const again = [rented(OTHER, [1]), ofOther(cancelled([1]))];
  casesOf(given, [
    ['gives up what was not collected', [rented()], cancel, [cancelled()]],
    ['leaves what is lent', [rented(), issued(BORROW, [1])], cancel, [cancelled([2])]],
    ['is refused where nothing waits', lent, cancel, 'BorrowNotRented'],
    ['is refused twice', [rented(), cancelled()], cancel, 'BorrowNotRented'],
    ['is refused for an unknown borrow', [], cancel, 'BorrowNotFound'],
    ['lets the reader rent again', again, rent([1]), [rented(BORROW, [1])]],
  ]);
  it('shows as expired', () =>
    expect(borrowAfter(rented(), cancelled())).toMatchObject({
      ...{ status: 'Expired', expiredAt: day(2), issuedAt: null },
    }));
});

describe('expiring', () => {
  const expire = (at: string): Short => ({ type: 'ExpireBorrow', at });
  casesOf(given, [
    ['gives up what was not collected', [rented()], expire(day(5)), [expired()]],
    ['is refused while the reader can still collect', [rented()], expire(end(4)), 'CollectionStillPossible'],
    ['is refused once issued', lent, expire(day(5)), 'BorrowNotRented'],
    ['is refused twice', [rented(), expired()], expire(day(5)), 'BorrowNotRented'],
  ]);
});

describe('charging', () => {
  const nextYear = '2027-11-16T10:00:00.000Z';
  const chargeAll = (at: string): Short => ({ type: 'ChargeLateFees', at });
  const once = [charged(100, 100, 1, midnight(17))];
  casesOf(given, [
    ['costs 0.50 PLN per book and day, from the day after the due day', lent, charge(midnight(17)), once],
    ['costs no more until that day is over', chargedOnce, charge(end(17)), 'NothingToCharge'],
    ['charges the days since the last charge', chargedOnce, charge(day(19)), [charged(200, 300, 3, day(19))]],
    ['is refused before the due day is over', lent, charge(end(16)), 'BorrowNotOverdue'],
    ['stops at 50 PLN a borrow', lent, charge(nextYear), [charged(5000, 5000, 365, nextYear)]],
    [
      'is refused beyond the cap',
      [...lent, charged(5000, 5000, 60, day(17))],
      charge(nextYear),
      'NothingToCharge',
    ],
    ['is refused once the books are back', [...lent, returned()], charge(day(20)), 'BorrowNotIssued'],
    [
      'of a reader is of each late borrow',
      [...lent, ...otherLent],
      chargeAll(day(17)),
      [charged(100, 100, 1, day(17)), otherCharged],
    ],
    ['leaves what is charged, or was not collected', [...chargedOnce, others(1)], chargeAll(day(17)), []],
    ['does nothing for a reader with no borrows', [], chargeAll(day(17)), []],
  ]);
});

describe('in a library whose days are not those of UTC', () => {
  const inWarsaw = borrowsIn('Europe/Warsaw');
  const [change, lastDay] = ['2026-10-20T22:30:00.000Z', '2026-11-04T22:59:59.999Z'];
  const due = [rented(), but(issued(), { dueDate: day(16) })];
  const calendar = { timeZone: 'Europe/Warsaw', dueDay: '2026-11-16', chargedDay: '2026-11-17' };
  const begins = day(16, '23:00:00.000');
  casesOf(inWarsaw, [
    [
      'counts 14 days from the day of issue there, over the change to winter too',
      [rented()],
      issue([1, 2], change),
      [but(issued(), { issuedAt: change, dueDate: lastDay })],
    ],
    ['has all of the due day, whatever its hour', due, charge(day(16, '22:59:59.999')), 'BorrowNotOverdue'],
    [
      'begins a day late at its midnight',
      due,
      charge(begins),
      [but(charged(100, 100, 1, begins), { calendar })],
    ],
  ]);
});
