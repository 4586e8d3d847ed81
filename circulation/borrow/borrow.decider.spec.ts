import { borrowEventTime, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { bookState, type Loss } from '#contracts/borrowing/borrowed-book.js';
import {
  BORROW,
  borrowsIn,
  but,
  day,
  end,
  issued,
  LIBRARIAN,
  OTHER,
  READER,
  rented,
} from '../../test-support/borrow-history.js';
import { decide, type BorrowCommand, type RenewBorrow } from './borrow.decider.js';
import { NO_BORROWS, evolve, fineDue, isOpen, refundDue } from './borrow-state.js';
import { RECENT_WINDOW } from './recent-events.js';
import { borrowRules } from '../rules/borrow.policy.js';

const RULES = borrowRules('UTC');
const given = borrowsIn('UTC');

const renewed = (dueDate: string): BorrowEvent => ({
  type: 'BorrowRenewed',
  data: { borrowId: BORROW, renewedBy: READER, renewedAt: day(10), dueDate, policyVersion: 1 },
});
const expired: BorrowEvent = {
  type: 'BorrowExpired',
  data: { borrowId: BORROW, bookIds: [1, 2], expiredAt: day(5) },
};
const charged = (amount: number, total: number, daysLate: number, at: string): BorrowEvent => ({
  type: 'FineCharged',
  data: {
    borrowId: BORROW,
    amount,
    total,
    daysLate,
    reason: 'overdue',
    chargedAt: at,
    policyVersion: 1,
    calendar: { timeZone: 'UTC', dueDay: '2026-11-16', chargedDay: at.slice(0, 10) },
  },
});
const paid = (amount: number): BorrowEvent => ({
  type: 'FinePaid',
  data: { borrowId: BORROW, amount, transactionId: 'tx-1', provider: 'sandbox', paidAt: day(18) },
});
const returned: BorrowEvent = {
  type: 'BooksReturned',
  data: { borrowId: BORROW, bookIds: [1, 2], returnedTo: LIBRARIAN, returnedAt: day(15) },
};
const abandoned: BorrowEvent = { type: 'RentAbandoned', data: { borrowId: BORROW, abandonedAt: day(1) } };

const rent = (bookIds: number[], borrowId = BORROW, at = day(1)): BorrowCommand => ({
  type: 'RentBooks',
  borrowId,
  readerId: READER,
  books: bookIds.map((bookId) => ({ bookId, title: `Book ${bookId}` })),
  at,
});
const issue = (bookIds = [1, 2]): BorrowCommand => ({
  type: 'IssueBooks',
  borrowId: BORROW,
  bookIds,
  librarianId: LIBRARIAN,
  at: day(2),
});
const takeBack = (at = day(15), bookIds = [1, 2]): BorrowCommand => ({
  type: 'ReturnBooks',
  borrowId: BORROW,
  bookIds,
  librarianId: LIBRARIAN,
  at,
});
const renew = (at = day(10), naming: Pick<RenewBorrow, 'dueDate' | 'mayBeRepeat'> = {}): BorrowCommand => ({
  type: 'RenewBorrow',
  borrowId: BORROW,
  renewedBy: READER,
  ...naming,
  at,
});
const expire = (at: string): BorrowCommand => ({ type: 'ExpireBorrow', borrowId: BORROW, at });
const charge = (at: string): BorrowCommand => ({ type: 'ChargeFine', borrowId: BORROW, at });
const chargeLate = (at: string): BorrowCommand => ({ type: 'ChargeLateFees', at });
const pay = (amount: number): BorrowCommand => ({
  type: 'RecordPayment',
  borrowId: BORROW,
  amount,
  transactionId: 'tx-1',
  provider: 'sandbox',
  at: day(18),
});
const take = (amount: number, at = day(17), due = amount): BorrowCommand => ({
  type: 'TakePayment',
  borrowId: BORROW,
  amount,
  due,
  transactionId: 'tx-1',
  at,
});
const abandon: BorrowCommand = { type: 'AbandonRent', borrowId: BORROW, at: day(1) };

describe('renting', () => {
  it('holds the books for three days', () => given().decides(rent([1, 2]), rented()));
  it('is refused while a fee is unpaid', () =>
    given(
      rented(OTHER, [9]),
      issued(OTHER, [9]),
      but(charged(50, 50, 1, day(17)), { borrowId: OTHER }),
    ).refuses(rent([1]), 'FeeNotPaid'));
  it('is refused while books are late that nobody has charged yet', () =>
    given(rented(OTHER, [9]), issued(OTHER, [9])).refuses(
      rent([1], BORROW, day(17, '00:00:00.000')),
      'FeeNotPaid',
    ));
  it('is refused once another day has begun since the fee was paid', () => {
    const other = (event: BorrowEvent) => but(event, { borrowId: OTHER });
    given(
      rented(OTHER, [9]),
      issued(OTHER, [9]),
      other(charged(50, 50, 1, day(17))),
      other(paid(50)),
    ).refuses(rent([1], BORROW, day(18, '00:00:00.000')), 'FeeNotPaid');
  });
  it('is refused for a book that the reader already has', () =>
    given(rented(OTHER, [1])).refuses(rent([1]), 'BookAlreadyBorrowed'));
  it('is refused for the same book twice', () => given().refuses(rent([1, 1]), 'BookAlreadyBorrowed'));
  it('is allowed again once the book is back', () =>
    given(rented(OTHER, [1]), but(expired, { borrowId: OTHER, bookIds: [1] })).decides(
      rent([1]),
      rented(BORROW, [1]),
    ));
  it('is allowed up to ten books at once', () =>
    given(rented(OTHER, [11, 12, 13, 14, 15, 16, 17, 18])).decides(rent([1, 2]), rented()));
  it('is refused beyond ten books at once', () =>
    given(rented(OTHER, [11, 12, 13, 14, 15, 16, 17, 18, 19])).refuses(rent([1, 2]), 'TooManyBooks'));
  it('is refused once it was given up', () => given(abandoned).refuses(rent([1, 2]), 'RentAbandoned'));
  it('is refused where it is already recorded', () => given(rented()).refuses(rent([5]), 'ConcurrentChange'));
});

describe('issuing', () => {
  // spec 9.1
  it('lends a rented borrow for 14 days', () => given(rented()).decides(issue(), issued()));
  it('takes the books in any order', () => given(rented()).decides(issue([2, 1]), issued(BORROW, [2, 1])));
  it('is refused for an unknown borrow', () => given().refuses(issue(), 'BorrowNotFound'));
  it('is refused twice', () => given(rented(), issued()).refuses(issue(), 'BorrowNotRented'));
  it('is refused once expired', () => given(rented(), expired).refuses(issue(), 'BorrowNotRented'));
  it.each([[[1, 2, 3]], [[1, 3]], [[3]], [[1, 1]]])('is refused for other books: %j', (bookIds) =>
    given(rented()).refuses(issue(bookIds), 'BooksDoNotMatch'),
  );
});

describe('lending at the desk', () => {
  const lend = (bookIds = [1, 2], borrowId = BORROW): BorrowCommand => ({
    type: 'LendBooks',
    borrowId,
    readerId: READER,
    books: bookIds.map((bookId) => ({ bookId, title: `Book ${bookId}` })),
    librarianId: LIBRARIAN,
    at: day(1),
  });
  const handedOver: BorrowEvent = but(issued(), { issuedAt: day(1), dueDate: end(15) });

  it('rents and issues at once', () => given().decides(lend(), rented(), handedOver));
  it('goes beyond the limit with a reason alone, also for a copy that was kept for a hold', () => {
    const ten = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
    const history = [rented(OTHER, ten), issued(OTHER, ten), rented(BORROW, [1])];
    const collect = {
      type: 'IssueBooks',
      borrowId: BORROW,
      bookIds: [1],
      librarianId: LIBRARIAN,
      at: day(2),
    };
    given(...history).refuses(collect as BorrowCommand, 'LimitReached');
    given(...history).decides(
      { ...collect, beyondLimit: 'class' } as BorrowCommand,
      but(issued(BORROW, [1]), {
        issuedAt: day(2),
        dueDate: end(16),
        beyond: { limits: ['books'], reason: 'class' },
      }),
    );
  });
  it('goes beyond a fee that is owed and a block with a reason, and says beyond which', () => {
    const late = but(issued(OTHER, [3]), { issuedAt: day(1), dueDate: '2026-10-30T22:59:59.999Z' });
    const asked = { ...lend(), blocked: 'This reader is blocked.' } as BorrowCommand;
    given(rented(OTHER, [3]), late).refuses(asked, 'ReaderBlocked');
    const reason = 'goodwill';
    given(rented(OTHER, [3]), late).decides(
      { ...asked, beyondLimit: reason } as BorrowCommand,
      rented(),
      but(handedOver, { beyond: { limits: ['block', 'fee'], reason } }),
    );
    given().decides({ ...lend(), beyondLimit: reason } as BorrowCommand, rented(), handedOver);
    given(rented(BORROW, [1])).refuses({ ...issue([1]), blocked: '' } as BorrowCommand, 'ReaderBlocked');
  });
  it('keeps every rule of a rent', () => {
    given(rented(OTHER, [2])).refuses(lend(), 'BookAlreadyBorrowed');
    const nine = rented(OTHER, [3, 4, 5, 6, 7, 8, 9, 10, 11]);
    given(nine).refuses(lend(), 'LimitReached');
    given(nine).decides(
      { ...lend(), beyondLimit: 'study' } as BorrowCommand,
      rented(),
      but(handedOver, { beyond: { limits: ['books'], reason: 'study' } }),
    );
    given(
      rented(OTHER, [3]),
      but(issued(OTHER, [3]), { issuedAt: day(1), dueDate: '2026-10-30T22:59:59.999Z' }),
    ).refuses(lend(), 'FeeNotPaid');
    given(abandoned).refuses(lend(), 'RentAbandoned');
    given().refuses(lend([1, 1]), 'BookAlreadyBorrowed');
  });
  it('says what is to be done where it is refused', () => {
    const refusalOf = (...events: BorrowEvent[]) => {
      try {
        return decide(events.reduce(evolve, NO_BORROWS), lend(), RULES);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refusalOf(rented(OTHER, [2]))).toMatch(/rented “Book 2” and it is waiting for them/);
    expect(refusalOf(rented(OTHER, [2]), issued(OTHER, [2]))).toMatch(/has “Book 2” already/);
    const late: BorrowEvent = but(issued(OTHER, [3]), {
      issuedAt: day(1),
      dueDate: '2026-10-30T23:59:59.999Z',
    });
    expect(refusalOf(rented(OTHER, [3]), late)).toBe('1.00 PLN must be paid first. Nothing was lent.');
  });
  it('is undone as a whole: nothing waits at the desk afterwards', () => {
    const at = day(1, '10:05:00.000');
    given(rented(), handedOver).decides(
      { type: 'Undo', borrowId: BORROW, readerId: READER, revision: 1, librarianId: LIBRARIAN, at },
      {
        type: 'IssueUndone',
        data: {
          borrowId: BORROW,
          revision: 1,
          bookIds: [1, 2],
          dueDate: null,
          undoneBy: LIBRARIAN,
          undoneAt: at,
        },
      },
      {
        type: 'RentCancelled',
        data: {
          borrowId: BORROW,
          bookIds: [1, 2],
          cancelledBy: LIBRARIAN,
          cancelledAt: at,
          undone: true,
        },
      },
    );
  });
});

describe('returning', () => {
  it('ends an issued borrow', () => given(rented(), issued()).decides(takeBack(), returned));
  it('is refused before the books were issued', () => given(rented()).refuses(takeBack(), 'BorrowNotIssued'));
  it('is refused twice', () => given(rented(), issued(), returned).refuses(takeBack(), 'BorrowNotIssued'));
  it('is refused while the fee is unpaid', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(takeBack(day(18)), 'FeeNotPaid'));
  it('is allowed once the fee is paid', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17)), paid(100)).decides(takeBack(), returned));
  it('is allowed at the due instant itself', () =>
    given(rented(), issued()).decides(takeBack(day(16)), but(returned, { returnedAt: day(16) })));
  it('is refused a moment later though nobody has charged it yet: late is never free', () =>
    given(rented(), issued()).refuses(takeBack(day(17, '00:00:00.000')), 'FeeNotPaid'));
  it('is refused once another day has begun since the fee was paid', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17)), paid(100)).refuses(
      takeBack(day(18, '00:00:00.000')),
      'FeeNotPaid',
    ));
  it('is allowed beyond the cap once that is paid', () =>
    given(rented(), issued(), charged(5000, 5000, 60, day(17)), paid(5000)).decides(
      takeBack('2027-12-16T10:00:00.000Z'),
      but(returned, { returnedAt: '2027-12-16T10:00:00.000Z' }),
    ));
  it('is refused for other books', () =>
    given(rented(), issued()).refuses(takeBack(day(15), [1, 3]), 'BooksDoNotMatch'));
});

describe('renewing', () => {
  // spec 9.1
  it('lends for 14 days from the day of the renewal', () =>
    given(rented(), issued()).decides(renew(), renewed(end(24))));
  it('is refused where that would give no day more', () =>
    given(rented(), issued()).refuses(renew(day(2, '23:00:00.000')), 'RenewalTooEarly'));
  it('never takes a day that earlier rules gave', () =>
    given(rented(), issued(), renewed(end(30))).refuses(renew(day(11)), 'RenewalTooEarly'));
  it('is allowed until the end of the due day', () =>
    given(rented(), issued()).decides(renew(end(16)), but(renewed(end(30)), { renewedAt: end(16) })));
  it('is refused a moment later', () =>
    given(rented(), issued()).refuses(renew(day(17, '00:00:00.000')), 'BorrowOverdue'));
  it('is refused a third time', () =>
    given(rented(), issued(), renewed(day(20)), renewed(day(25))).refuses(renew(), 'RenewalsUsedUp'));
  it('goes beyond the number of renewals with a reason, and beyond nothing that is late, owed or waited for', () => {
    const reason = 'study';
    const anyway = (at?: string, waitedFor: string[] = []) =>
      ({ ...renew(at), beyondLimit: reason, waitedFor }) as BorrowCommand;
    const twice = [rented(), issued(), renewed(day(20)), renewed(day(23))];
    const beyond = { limits: ['renewals' as const], reason: 'study' as const };
    given(...twice).decides(anyway(), but(renewed(end(24)), { beyond }));
    given(...twice).refuses(anyway(day(10), ['Solaris']), 'SomebodyWaits');
    given(rented(), issued()).refuses(anyway(day(2)), 'RenewalTooEarly');
    given(rented(), issued()).refuses(anyway(day(17)), 'BorrowOverdue');
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(anyway(), 'FeeNotPaid');
  });
  it('is refused while a fee is unpaid', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(renew(), 'FeeNotPaid'));
  it('extends the due date that it names, in whatever zone that is written', () =>
    given(rented(), issued()).decides(
      renew(day(10), { dueDate: '2026-11-17T01:59:59.999+02:00' }),
      renewed(end(24)),
    ));
  it('extends a due date once, even where that is long past', () => {
    const twice = [rented(), issued(), renewed(day(20)), renewed(day(25))];
    for (const dueDate of [end(16), day(20)]) {
      given(...twice).ignores(renew(day(11), { dueDate }));
      given(...twice, returned).ignores(renew(day(29), { dueDate }));
    }
    given(...twice).refuses(renew(day(11), { dueDate: day(25) }), 'RenewalsUsedUp');
  });
  it('is refused where the borrow never had the due date named', () =>
    given(rented(), issued(), renewed(day(20))).refuses(
      renew(day(11), { dueDate: day(17) }),
      'DueDateUnknown',
    ));
  it('is taken for a repeat within ten minutes where it names nothing, and for a new one after them', () => {
    const once = given(rented(), issued(), renewed(day(20)));
    once.ignores(renew(day(10, '10:09:59.999'), { mayBeRepeat: true }));
    once.decides(
      renew(day(10, '10:00:00.001')),
      but(renewed(end(24)), { renewedAt: day(10, '10:00:00.001') }),
    );
    once.decides(
      renew(day(10, '10:10:00.000'), { mayBeRepeat: true }),
      but(renewed(end(24)), { renewedAt: day(10, '10:10:00.000') }),
    );
  });
  it('is refused before issue', () => given(rented()).refuses(renew(), 'BorrowNotIssued'));
  it('is refused after return', () =>
    given(rented(), issued(), returned).refuses(renew(), 'BorrowNotIssued'));
});

describe('a borrow in parts', () => {
  const back = (bookIds: number[], at = day(15)): BorrowEvent => but(returned, { bookIds, returnedAt: at });
  const statusOf = (...events: BorrowEvent[]) =>
    events.reduce(evolve, NO_BORROWS).borrows.get(BORROW)?.status;

  it('is issued book by book; what was handed over later moves the one due day', () => {
    given(rented()).decides(issue([2]), issued(BORROW, [2]));
    given(rented(), issued(BORROW, [2])).decides(
      { ...issue([1]), at: day(3) },
      but(issued(BORROW, [1]), { issuedAt: day(3), dueDate: end(17) }),
    );
  });
  it('passes over what has changed hands already, as long as anything is left', () => {
    given(rented(), issued(BORROW, [2])).decides(issue(), issued(BORROW, [1]));
    given(rented(), issued(BORROW, [2])).refuses(issue([2]), 'BorrowNotRented');
    given(rented(), issued(), back([1])).decides(takeBack(), back([2]));
    given(rented(), issued(), back([1])).refuses(takeBack(day(15), [1]), 'BorrowNotIssued');
    given(rented(), issued(BORROW, [1])).decides(takeBack(), back([1]));
  });
  it('stays issued until its last book is back', () => {
    expect(statusOf(rented(), issued(BORROW, [1]))).toBe('Issued');
    expect(statusOf(rented(), issued(), back([1]))).toBe('Issued');
    expect(statusOf(rented(), issued(BORROW, [1]), back([1]))).toBe('Issued');
    expect(statusOf(rented(), issued(), back([1]), back([2]))).toBe('Returned');
  });
  it('expires for what was not collected: what was lent goes on, or has ended', () => {
    const rest: BorrowEvent = but(expired, { bookIds: [2] });
    given(rented(), issued(BORROW, [1])).decides(expire(day(5)), rest);
    expect(statusOf(rented(), issued(BORROW, [1]), rest)).toBe('Issued');
    expect(statusOf(rented(), issued(BORROW, [1]), back([1]), rest)).toBe('Returned');
    expect(statusOf(rented(), rest)).toBe('Rented');
  });
  it('costs for each late book its own days', () => {
    // One is two days late when it is brought, the other three.
    const late = [rented(), issued(), charged(200, 200, 2, day(18)), paid(200), back([1], day(18))];
    given(...late).decides(charge(day(19)), charged(50, 250, 3, day(19)));
    given(rented(), issued(), back([1])).decides(charge(day(19)), charged(150, 150, 3, day(19)));
    given(rented(), issued(BORROW, [1])).decides(charge(day(19)), charged(150, 150, 3, day(19)));
  });
});

describe('taking back at the desk', () => {
  const bring = (at = day(15), bookIds = [1, 2]): BorrowCommand => ({
    type: 'TakeBackBooks',
    borrowId: BORROW,
    bookIds,
    librarianId: LIBRARIAN,
    at,
  });
  const takenBack = (at: string, bookIds = [1, 2]): BorrowEvent => ({
    type: 'BooksTakenBack',
    data: { borrowId: BORROW, bookIds, takenBackBy: LIBRARIAN, takenBackAt: at },
  });
  const late = [rented(), issued(), charged(200, 200, 2, day(18)), takenBack(day(18))];
  const borrowAfter = (...events: BorrowEvent[]) => events.reduce(evolve, NO_BORROWS).borrows.get(BORROW);

  it('is a return where nothing is owed', () => given(rented(), issued()).decides(bring(), returned));
  it('charges what is late by now, and leaves it to be paid', () =>
    given(rented(), issued()).decides(bring(day(18)), charged(200, 200, 2, day(18)), takenBack(day(18))));
  it('takes a part: the rest goes on costing', () => {
    const part = [rented(), issued(), charged(200, 200, 2, day(18)), takenBack(day(18), [1])];
    given(rented(), issued(), charged(200, 200, 2, day(18))).decides(
      bring(day(18), [1]),
      takenBack(day(18), [1]),
    );
    given(...part).decides(charge(day(20)), charged(100, 300, 4, day(20)));
  });
  it('frees the copies at once, and is returned with the payment', () => {
    const owed = borrowAfter(...late);
    expect([owed?.status, owed && isOpen(owed), owed?.returnedAt]).toEqual(['Not_Paid', false, day(18)]);
    expect(borrowAfter(...late, paid(200))?.status).toBe('Returned');
    given(...late).refuses(charge(day(25)), 'BorrowNotIssued');
    given(...late).decides(take(200, day(25)), but(paid(200), { provider: 'desk', paidAt: day(25) }));
  });
  it('keeps the reader from renting until that', () => {
    given(...late).refuses(rent([5], OTHER, day(19)), 'FeeNotPaid');
    given(...late, paid(200)).decides(rent([1, 2], OTHER, day(1)), rented(OTHER));
  });
  it('is refused for what is not with the reader', () => {
    given(...late).refuses(bring(day(19)), 'BorrowNotIssued');
    given(rented(), issued()).refuses(bring(day(15), [7]), 'BooksDoNotMatch');
  });
});

describe('cancelling a rent', () => {
  const cancel: BorrowCommand = { type: 'CancelRent', borrowId: BORROW, cancelledBy: READER, at: day(2) };
  const cancelled = (bookIds = [1, 2]): BorrowEvent => ({
    type: 'RentCancelled',
    data: { borrowId: BORROW, bookIds, cancelledBy: READER, cancelledAt: day(2) },
  });

  it('gives up what was not collected', () => given(rented()).decides(cancel, cancelled()));
  it('leaves what is lent', () => given(rented(), issued(BORROW, [1])).decides(cancel, cancelled([2])));
  it('is refused where nothing waits', () => {
    given(rented(), issued()).refuses(cancel, 'BorrowNotRented');
    given(rented(), cancelled()).refuses(cancel, 'BorrowNotRented');
    given().refuses(cancel, 'BorrowNotFound');
  });
  it('shows as expired, and lets the reader rent again', () => {
    const state = [rented(), cancelled()].reduce(evolve, NO_BORROWS);
    expect(state.borrows.get(BORROW)).toMatchObject({ status: 'Expired', expiredAt: day(2), issuedAt: null });
    given(rented(OTHER, [1]), but(cancelled([1]), { borrowId: OTHER })).decides(
      rent([1]),
      rented(BORROW, [1]),
    );
  });
});

describe('waiving a fee', () => {
  const waive = (
    amount: number,
    librarianId = LIBRARIAN,
    more: Partial<Extract<BorrowCommand, { type: 'WaiveFee' }>> = {},
  ): BorrowCommand => ({
    type: 'WaiveFee',
    borrowId: BORROW,
    readerId: READER,
    amount,
    reason: 'illness',
    librarianId,
    upTo: null,
    at: day(17),
    ...more,
  });
  const waived = (amount: number): BorrowEvent => ({
    type: 'FeeWaived',
    data: { borrowId: BORROW, amount, reason: 'illness', waivedBy: LIBRARIAN, waivedAt: day(17) },
  });
  const late = [rented(), issued(), charged(100, 100, 1, day(17))];

  it('is of the whole or a part', () => {
    given(...late).decides(waive(100), waived(100));
    given(...late, paid(40)).decides(waive(60), waived(60));
  });
  it.each([0, -1, 101])('is refused for an amount of %i', (amount) =>
    given(...late).refuses(waive(amount), 'WrongAmount'),
  );
  it('is refused where nothing is due, and of one’s own', () => {
    given(...late, waived(100)).refuses(waive(1), 'NothingToPay');
    given(...late).refuses(waive(100, READER), 'OwnFee');
  });
  it('counts all that one person waived of the borrow against their limit, but for what was undone', () => {
    const alone = { upTo: 60 };
    given(...late).decides(waive(60, LIBRARIAN, alone), waived(60));
    given(...late).refuses(waive(61, LIBRARIAN, alone), 'WaiverAboveLimit');
    given(...late, waived(50)).decides(waive(10, LIBRARIAN, alone), waived(10));
    given(...late, waived(50)).refuses(waive(11, LIBRARIAN, alone), 'WaiverAboveLimit');
    given(...late, but(waived(50), { waivedBy: OTHER })).decides(waive(50, LIBRARIAN, alone), waived(50));
    const undone = { borrowId: BORROW, revision: 3, amount: 50, undoneBy: OTHER, undoneAt: day(17) };
    given(...late, waived(50), { type: 'WaiverUndone', data: undone }).decides(
      waive(60, LIBRARIAN, alone),
      waived(60),
    );
    given(rented(OTHER, [9]), issued(OTHER, [9]), ...late).decides(waive(60, LIBRARIAN, alone), waived(60));
  });
  it('that somebody else asked for names both, and needs the fee to be as they saw it', () => {
    const asked = { by: OTHER, due: 100 };
    given(...late).decides(waive(80, LIBRARIAN, { asked, upTo: 80 }), but(waived(80), { askedBy: OTHER }));
    given(...late).refuses(waive(80, LIBRARIAN, { asked, upTo: 79 }), 'WaiverAboveLimit');
    given(...late).refuses(waive(80, OTHER, { asked }), 'NotAllowed');
    given(...late, paid(1)).refuses(waive(80, LIBRARIAN, { asked }), 'FeeChanged');
    given(...late, paid(100)).refuses(waive(80, LIBRARIAN, { asked }), 'NothingToPay');
    given(...late).refuses(waive(80, READER, { asked }), 'OwnFee');
  });
  it('behaves as a payment', () => {
    given(...late, waived(100)).decides(takeBack(day(17)), but(returned, { returnedAt: day(17) }));
    given(...late, waived(100)).decides(charge(day(18)), charged(100, 200, 2, day(18)));
    given(...late, waived(60)).refuses(pay(41), 'WrongAmount');
  });
});

describe('a lost or damaged book', () => {
  const report = (as: Loss, price: number | null = 3990, bookId = 1, at = day(10)): BorrowCommand => ({
    type: 'ReportLoss',
    borrowId: BORROW,
    bookId,
    as,
    price,
    librarianId: LIBRARIAN,
    at,
  });
  const loss = (
    type: 'BookLost' | 'BookDamaged',
    price: number | null,
    amount: number,
    bookId = 1,
    at = day(10),
  ) => ({
    type,
    data: {
      borrowId: BORROW,
      bookId,
      price,
      amount,
      policyVersion: 1,
      reportedBy: LIBRARIAN,
      reportedAt: at,
    },
  });
  const lost = loss('BookLost', 3990, 4990);
  const find = (by = LIBRARIAN): BorrowCommand => ({
    type: 'FindBook',
    borrowId: BORROW,
    bookId: 1,
    readerId: READER,
    foundBy: by,
    at: day(20),
  });
  const found = {
    type: 'LostBookFound' as const,
    data: { borrowId: BORROW, bookId: 1, amount: 4990, foundBy: LIBRARIAN, foundAt: day(20) },
  };
  const stateOf = (...events: BorrowEvent[]) => {
    const borrow = events.reduce(evolve, NO_BORROWS).borrows.get(BORROW);
    return borrow && [borrow.status, ...borrow.books.map(bookState)].join(' ');
  };

  it('costs its price, or a set one, and a fee', () => {
    given(rented(), issued()).decides(report('lost'), lost);
    given(rented(), issued()).decides(report('damaged', null), loss('BookDamaged', null, 5000));
  });
  it('ends its loan: what is owed shows, and the rest of the borrow goes on', () => {
    expect(stateOf(rented(), issued(), lost)).toBe('Not_Paid lost lent');
    expect(stateOf(rented(), issued(), lost, paid(4990))).toBe('Paid lost lent');
    const both = [rented(), issued(), lost, loss('BookLost', null, 5000, 2)];
    expect(stateOf(...both)).toBe('Not_Paid lost lost');
    expect(stateOf(...both, paid(4990), paid(5000))).toBe('Returned lost lost');
  });
  it('that is late costs its days too, up to then', () => {
    given(rented(), issued()).decides(
      report('lost', 3990, 1, day(18)),
      charged(200, 200, 2, day(18)),
      loss('BookLost', 3990, 4990, 1, day(18)),
    );
    const lostLate = [
      rented(),
      issued(),
      charged(200, 200, 2, day(18)),
      loss('BookLost', 3990, 4990, 1, day(18)),
    ];
    given(...lostLate).decides(charge(day(20)), charged(100, 300, 4, day(20)));
  });
  it('is one that the reader has', () => {
    given(rented()).refuses(report('lost'), 'BorrowNotIssued');
    given(rented(), issued(), lost).refuses(report('damaged'), 'BorrowNotIssued');
    given(rented(), issued(), returned).refuses(report('lost'), 'BorrowNotIssued');
    given().refuses(report('lost'), 'BorrowNotFound');
  });
  it('keeps the reader from renting until it is paid', () => {
    given(rented(), issued(), lost).refuses(rent([7], OTHER, day(11)), 'FeeNotPaid');
  });
  it('is found again: its charge is taken back, and what was paid of it is owed to the reader', () => {
    given(rented(), issued(), lost).decides(find(), found);
    expect(stateOf(rented(), issued(), lost, found)).toBe('Issued returned lent');
    const borrow = [rented(), issued(), lost, paid(4990), found]
      .reduce(evolve, NO_BORROWS)
      .borrows.get(BORROW);
    expect(borrow && [fineDue(borrow), refundDue(borrow)]).toEqual([0, 4990]);
    given(rented(), issued(), lost, found).refuses(find(), 'BookNotLost');
    given(rented(), issued(), lost).refuses(find(READER), 'OwnFee');
  });
  it('that was damaged stays charged, and where the copy itself was found a second time nothing happens', () => {
    given(rented(), issued(), loss('BookDamaged', 3990, 4990)).refuses(find(), 'BookNotLost');
    const copyFound = { ...find(), ofCopy: true } as BorrowCommand;
    given(rented(), issued(), lost, found).ignores(copyFound);
    given(rented(), issued(), lost).refuses({ ...copyFound, foundBy: READER } as BorrowCommand, 'OwnFee');
  });
  it('is undone for ten minutes, unless it was paid or found since', () => {
    const at = day(10, '10:05:00.000');
    const undo: BorrowCommand = {
      ...{ type: 'Undo', borrowId: BORROW, readerId: READER },
      ...{ revision: 2, librarianId: LIBRARIAN, at },
    };
    given(rented(), issued(), lost).decides(undo, {
      type: 'LossUndone',
      data: { borrowId: BORROW, revision: 2, bookId: 1, amount: 4990, undoneBy: LIBRARIAN, undoneAt: at },
    });
    const soonPaid: BorrowEvent = but(paid(4990), { transactionId: 'tx', paidAt: at });
    const soonFound: BorrowEvent = but(found, { foundAt: at });
    given(rented(), issued(), lost, soonPaid).refuses(undo, 'UndoBlocked');
    given(rented(), issued(), lost, soonFound).refuses(undo, 'UndoBlocked');
    given(rented(), issued(), lost).refuses({ ...undo, at: day(10, '10:11:00.000') }, 'NothingToUndo');
    given(rented(), issued(), lost).refuses({ ...undo, librarianId: READER }, 'OwnFee');
  });

  describe('that was paid for and found', () => {
    const paidFor = [rented(), issued(), lost, paid(4990), found];
    const giveBack = (amount: number, by = LIBRARIAN): BorrowCommand => ({
      ...{ type: 'PayRefund', borrowId: BORROW, readerId: READER, amount },
      ...{ transactionId: 'back', librarianId: by, at: day(20) },
    });
    const givenBack = (amount = 4990) => ({
      type: 'RefundPaid' as const,
      data: {
        ...{ borrowId: BORROW, amount, transactionId: 'back' },
        ...{ provider: 'desk', paidBy: LIBRARIAN, paidAt: day(20) },
      },
    });
    const undo = (revision: number, by = LIBRARIAN, at = day(20)): BorrowCommand => ({
      ...{ type: 'Undo', borrowId: BORROW, readerId: READER, revision, librarianId: by, at },
    });
    const moneyOf = (...events: BorrowEvent[]) => {
      const borrow = events.reduce(evolve, NO_BORROWS).borrows.get(BORROW);
      return borrow && [fineDue(borrow), refundDue(borrow), borrow.paid];
    };

    it('is given back at the desk, however it was paid: never more than that, nor twice, nor to oneself', () => {
      given(...paidFor).decides(giveBack(4990), givenBack());
      expect(moneyOf(...paidFor, givenBack())).toEqual([0, 0, 0]);
      given(...paidFor).refuses(giveBack(4991), 'WrongAmount');
      given(...paidFor).refuses(giveBack(0), 'WrongAmount');
      given(...paidFor, givenBack()).refuses(giveBack(4990), 'NothingToRefund');
      given(...paidFor).refuses(giveBack(4990, READER), 'OwnFee');
      given(rented(), issued(), lost, paid(4990)).refuses(giveBack(4990), 'NothingToRefund');
    });
    it('is given back less what is charged by then; what is charged afterwards is due', () => {
      const late = charged(200, 200, 2, day(18));
      expect(moneyOf(...paidFor, late)).toEqual([0, 4790, 4990]);
      given(...paidFor, late).refuses(giveBack(4990), 'WrongAmount');
      expect(moneyOf(...paidFor, givenBack(), late)).toEqual([200, 0, 0]);
    });
    it('covers the fee of a day as long as it is enough, before the day is charged as after it', () => {
      const enough = charged(100, 100, 2, day(18));
      for (const borrow of [paidFor, [...paidFor, enough]]) {
        given(...borrow).decides(rent([7], OTHER, day(18)), {
          type: 'BooksRented',
          data: {
            ...{ borrowId: OTHER, readerId: READER, books: [{ bookId: 7, title: 'Book 7' }] },
            ...{ rentedAt: day(18), collectBy: end(21), policyVersion: 1 },
          },
        });
        given(...borrow).refuses(take(100, day(18)), 'NothingToPay');
      }
      const back: BorrowEvent = but(returned, { bookIds: [2], returnedAt: day(18) });
      given(...paidFor).decides(takeBack(day(18), [2]), enough, back);
      given(...paidFor, enough).decides(takeBack(day(18), [2]), back);
      expect(moneyOf(...paidFor, enough, back)).toEqual([0, 4890, 4990]);
    });
    it('does not cover more than itself: a grosz that is missing refuses', () => {
      const partly = [...paidFor, givenBack(4990 - 99)];
      given(...partly).refuses(rent([7], OTHER, day(18)), 'FeeNotPaid');
      given(...partly).refuses(takeBack(day(18), [2]), 'FeeNotPaid');
      given(...partly, charged(100, 100, 2, day(18))).refuses(rent([7], OTHER, day(18)), 'FeeNotPaid');
    });
    it('is not given back for what was waived of it', () => {
      const waived: BorrowEvent = {
        type: 'FeeWaived',
        data: { borrowId: BORROW, amount: 990, reason: 'goodwill', waivedBy: LIBRARIAN, waivedAt: day(11) },
      };
      const partly = [rented(), issued(), lost, waived, paid(4000), found];
      given(...partly).refuses(giveBack(4990), 'WrongAmount');
      given(...partly).decides(giveBack(4000), givenBack(4000));
    });
    it('can be undone, by somebody else, until money changes hands again', () => {
      const undone = {
        ...{ borrowId: BORROW, revision: 5, amount: 4990, transactionId: 'back' },
        ...{ undoneBy: LIBRARIAN, undoneAt: day(20) },
      };
      given(...paidFor, givenBack()).decides(undo(5), { type: 'RefundUndone', data: undone });
      expect(moneyOf(...paidFor, givenBack(), { type: 'RefundUndone', data: undone })).toEqual([
        0, 4990, 4990,
      ]);
      given(...paidFor, givenBack()).refuses(undo(5, READER), 'OwnFee');
      given(...paidFor, givenBack()).refuses(undo(5, LIBRARIAN, day(20, '10:11:00.000')), 'NothingToUndo');
      given(...paidFor, givenBack(), charged(200, 200, 2, day(20)), {
        ...{ type: 'FinePaid' },
        data: { borrowId: BORROW, amount: 200, transactionId: 'tx', provider: 'desk', paidAt: day(20) },
      }).refuses(undo(5), 'UndoBlocked');
    });
    it('is lost as before once its finding is undone, and its charge is back; not after the money was', () => {
      given(...paidFor).decides(undo(4), {
        type: 'FindingUndone',
        data: {
          ...{ borrowId: BORROW, revision: 4, bookId: 1, amount: 4990 },
          ...{ undoneBy: LIBRARIAN, undoneAt: day(20) },
        },
      });
      given(...paidFor, givenBack()).refuses(undo(4), 'UndoBlocked');
    });
  });
});

describe('undoing', () => {
  const undo = (revision: number, at: string): BorrowCommand => ({
    type: 'Undo',
    borrowId: BORROW,
    readerId: READER,
    revision,
    librarianId: LIBRARIAN,
    at,
  });
  const by = { undoneBy: LIBRARIAN };
  const soon = (event: BorrowEvent) =>
    new Date(Date.parse(borrowEventTime(event)) + 9 * 60_000).toISOString();
  const late = [rented(), issued(), charged(200, 200, 2, day(18))];
  const atDesk: BorrowEvent = but(paid(200), { provider: 'desk' });
  const waived: BorrowEvent = {
    type: 'FeeWaived',
    data: { borrowId: BORROW, amount: 200, reason: 'other', waivedBy: LIBRARIAN, waivedAt: day(18) },
  };
  const takenBack: BorrowEvent = {
    type: 'BooksTakenBack',
    data: { borrowId: BORROW, bookIds: [1, 2], takenBackBy: LIBRARIAN, takenBackAt: day(18) },
  };

  it('puts issued books back to those that wait, due as before', () =>
    given(rented(), issued()).decides(undo(1, soon(issued())), {
      type: 'IssueUndone',
      data: {
        borrowId: BORROW,
        revision: 1,
        bookIds: [1, 2],
        dueDate: null,
        undoneAt: soon(issued()),
        ...by,
      },
    }));
  it('gives returned books back to the reader', () => {
    const data = { borrowId: BORROW, bookIds: [1, 2], ...by };
    given(rented(), issued(), returned).decides(undo(2, soon(returned)), {
      type: 'ReturnUndone',
      data: { ...data, revision: 2, undoneAt: soon(returned) },
    });
    given(...late, takenBack).decides(undo(3, soon(takenBack)), {
      type: 'ReturnUndone',
      data: { ...data, revision: 3, undoneAt: soon(takenBack) },
    });
  });
  it('makes waived and paid money due again', () => {
    const data = { borrowId: BORROW, revision: 3, amount: 200, undoneAt: soon(waived), ...by };
    given(...late, waived).decides(undo(3, soon(waived)), { type: 'WaiverUndone', data });
    given(...late, atDesk).decides(undo(3, soon(atDesk)), {
      type: 'PaymentUndone',
      data: { ...data, transactionId: 'tx-1' },
    });
  });
  it('is possible for ten minutes, and once', () => {
    given(rented(), issued()).refuses(undo(1, day(2, '10:10:00.001')), 'NothingToUndo');
    const undone = decide([rented(), issued()].reduce(evolve, NO_BORROWS), undo(1, soon(issued())), RULES);
    given(rented(), issued(), ...undone).refuses(undo(1, soon(issued())), 'NothingToUndo');
  });
  it('is not for other events, nor of other borrows', () => {
    given(...late).refuses(undo(2, day(18)), 'NothingToUndo');
    given(...late, paid(200)).refuses(undo(3, day(18)), 'NothingToUndo');
    given(rented()).refuses(undo(0, day(1)), 'NothingToUndo');
    given(rented(OTHER), issued(OTHER)).refuses(undo(1, day(2)), 'BorrowNotFound');
  });
  it('is refused once something depends on it', () => {
    const at = day(2, '10:05:00.000');
    const soonBack = but(returned, { bookIds: [1], returnedAt: at });
    given(rented(), issued(), soonBack).refuses(undo(1, at), 'UndoBlocked');
    given(rented(), issued(BORROW, [1]), issued(BORROW, [2])).refuses(undo(1, at), 'UndoBlocked');
    given(rented(), issued(), but(renewed(end(30)), { renewedAt: at })).refuses(undo(1, at), 'UndoBlocked');
    given(...late, takenBack, atDesk).refuses(undo(3, day(18)), 'UndoBlocked');
    given(...late, takenBack, waived).refuses(undo(3, day(18)), 'UndoBlocked');
    const back = but(returned, { returnedAt: day(18) });
    given(...late, atDesk, back).refuses(undo(3, day(18)), 'UndoBlocked');
    given(...late, waived, back).refuses(undo(3, day(18)), 'UndoBlocked');
  });
  it('is possible again once that is undone', () => {
    const back = but(returned, { returnedAt: day(18) });
    const events = [...late, atDesk, back];
    for (const revision of [4, 3]) {
      const state = events.reduce(evolve, NO_BORROWS);
      events.push(...decide(state, undo(revision, day(18)), RULES));
    }
    const [now, before] = [events, late].map((some) => some.reduce(evolve, NO_BORROWS).borrows.get(BORROW));
    expect({ ...now, recent: [] }).toEqual({ ...before, recent: [] });
  });
  it('is refused where the reader has rented the book again, or others up to their limit', () => {
    const again = rented(OTHER, [1]);
    given(rented(), issued(), returned, again).refuses(undo(2, day(15)), 'UndoBlocked');
    given(rented(), issued(), returned, rented(OTHER, [11, 12, 13, 14, 15, 16, 17, 18, 19])).refuses(
      undo(2, day(15)),
      'UndoBlocked',
    );
  });
  it('is fenced off once it was given up', () => {
    const abandonUndo: BorrowCommand = {
      type: 'AbandonUndo',
      borrowId: BORROW,
      bookIds: [1, 2],
      at: day(15),
    };
    const fence: BorrowEvent = {
      type: 'UndoAbandoned',
      data: { borrowId: BORROW, bookIds: [1, 2], abandonedAt: day(15) },
    };
    given(rented(), issued(), returned).decides(abandonUndo, fence);
    given(rented(), issued(), returned, fence).refuses(undo(2, day(15)), 'NothingToUndo');
    given(rented(), issued()).ignores(abandonUndo);
  });
});

it('nothing is known as recent for a shorter time than the rules let it be undone', () => {
  expect((RULES.undoMinutes ?? 0) * 60_000).toBeLessThanOrEqual(RECENT_WINDOW);
});

describe('expiring', () => {
  it('gives up what was not collected', () => given(rented()).decides(expire(day(5)), expired));
  it('is refused while the reader can still collect', () =>
    given(rented()).refuses(expire(end(4)), 'CollectionStillPossible'));
  it('is refused once issued', () => given(rented(), issued()).refuses(expire(day(5)), 'BorrowNotRented'));
  it('is refused twice', () => given(rented(), expired).refuses(expire(day(5)), 'BorrowNotRented'));
});

describe('charging', () => {
  it('costs 0.50 PLN per book and day, from the beginning of the day after the due day', () =>
    given(rented(), issued()).decides(
      charge(day(17, '00:00:00.000')),
      charged(100, 100, 1, day(17, '00:00:00.000')),
    ));
  it('costs no more until that day is over', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(charge(end(17)), 'NothingToCharge'));
  it('charges the days since the last charge', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).decides(
      charge(day(19)),
      charged(200, 300, 3, day(19)),
    ));
  it('is refused twice on one day', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(charge(day(17)), 'NothingToCharge'));
  it('is refused before the due day is over', () =>
    given(rented(), issued()).refuses(charge(end(16)), 'BorrowNotOverdue'));
  it('stops at 50 PLN a borrow', () =>
    given(rented(), issued()).decides(
      charge('2027-11-16T10:00:00.000Z'),
      charged(5000, 5000, 365, '2027-11-16T10:00:00.000Z'),
    ));
  it('is refused beyond the cap', () =>
    given(rented(), issued(), charged(5000, 5000, 60, day(17))).refuses(
      charge('2027-12-16T10:00:00.000Z'),
      'NothingToCharge',
    ));
  it('is refused once the books are back', () =>
    given(rented(), issued(), returned).refuses(charge(day(20)), 'BorrowNotIssued'));
});

describe('charging all that is late', () => {
  const of = (borrowId: string, event: BorrowEvent) => but(event, { borrowId });
  it('charges each late borrow of the reader', () =>
    given(rented(), issued(), rented(OTHER, [9]), issued(OTHER, [9])).decides(
      chargeLate(day(17)),
      charged(100, 100, 1, day(17)),
      of(OTHER, charged(50, 50, 1, day(17))),
    ));
  it('leaves what is charged, back, not collected or not late', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17)), rented(OTHER, [9])).ignores(
      chargeLate(day(17)),
    ));
  it('does nothing for a reader with no borrows', () => given().ignores(chargeLate(day(17))));
});

describe('paying', () => {
  const late = [rented(), issued(), charged(100, 100, 1, day(17))];
  it('records the payment', () => given(...late).decides(pay(100), paid(100)));
  it('takes a part', () => given(...late).decides(pay(40), paid(40)));
  it.each([0, -5, 101])('is refused for an amount of %i', (amount) =>
    given(...late).refuses(pay(amount), 'WrongAmount'),
  );
  it('is refused where nothing is due', () => given(rented(), issued()).refuses(pay(1), 'NothingToPay'));
  it('is refused twice', () => given(...late, paid(100)).refuses(pay(100), 'NothingToPay'));
});

describe('paying at the desk', () => {
  it('records the whole of what is due', () =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).decides(
      take(100),
      but(paid(100), { provider: 'desk', paidAt: day(17) }),
    ));
  it('records what a payment of a part has left', () =>
    given(rented(), issued(), charged(200, 200, 2, day(18)), paid(100)).decides(
      take(100, day(18)),
      but(paid(100), { provider: 'desk' }),
    ));
  it.each([1, 50, 99])('records a part (%i grosze)', (amount) =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).decides(
      take(amount, day(17), 100),
      but(paid(amount), { provider: 'desk', paidAt: day(17) }),
    ),
  );
  it.each([0, -100, 101])('is refused for an amount of %i', (amount) =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(
      take(amount, day(17), 100),
      'WrongAmount',
    ),
  );
  it.each([50, 99, 101, 200])('is refused where the librarian saw that %i grosze were due', (due) =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(take(50, day(17), due), 'FeeChanged'),
  );
  it.each([100, 200])('is refused once another day has begun that nobody has charged yet (%i)', (amount) =>
    given(rented(), issued(), charged(100, 100, 1, day(17))).refuses(
      take(amount, day(18, '00:00:00.000')),
      'FeeChanged',
    ),
  );
  it('is refused where nothing is due', () => {
    given(rented(), issued()).refuses(take(50, day(16)), 'NothingToPay');
    given(rented(), issued(), charged(100, 100, 1, day(17)), paid(100)).refuses(take(100), 'NothingToPay');
    given().refuses(take(50), 'BorrowNotFound');
  });
  it('names the amount that is due by now', () => {
    const late = [rented(), issued(), charged(100, 100, 1, day(17))].reduce(evolve, NO_BORROWS);
    expect(() => decide(late, take(100, day(18)), RULES)).toThrow('The fee is now 2.00 PLN.');
  });
});

describe('giving up a rent', () => {
  it('puts the fence in', () => given().decides(abandon, abandoned));
  it('does nothing where the rent is stored', () => given(rented()).ignores(abandon));
  it('does nothing twice', () => given(abandoned).ignores(abandon));
});

describe('in a library whose days are not those of UTC', () => {
  const inWarsaw = borrowsIn('Europe/Warsaw');
  const issuedUntil = (dueDate: string): BorrowEvent => but(issued(), { dueDate });

  it('counts 14 days from the day of issue there, over the change to winter too', () =>
    inWarsaw(rented()).decides(
      { ...issue(), at: '2026-10-20T22:30:00.000Z' },
      but(issued(), { issuedAt: '2026-10-20T22:30:00.000Z', dueDate: '2026-11-04T22:59:59.999Z' }),
    ));
  it('begins a day late at its midnight, whatever the hour of the due date', () => {
    const lent = inWarsaw(rented(), issuedUntil(day(16)));
    lent.refuses(charge(day(16, '22:59:59.999')), 'BorrowNotOverdue');
    lent.decides(charge(day(16, '23:00:00.000')), {
      type: 'FineCharged',
      data: {
        borrowId: BORROW,
        amount: 100,
        total: 100,
        daysLate: 1,
        reason: 'overdue',
        chargedAt: day(16, '23:00:00.000'),
        policyVersion: 1,
        calendar: { timeZone: 'Europe/Warsaw', dueDay: '2026-11-16', chargedDay: '2026-11-17' },
      },
    });
  });
});
