import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import {
  BORROW,
  borrowAfter,
  borrowsIn,
  but,
  charge,
  charged,
  day,
  end,
  found,
  giveBack,
  gone,
  issued,
  LIBRARIAN,
  OTHER,
  paid,
  pay,
  READER,
  refunded,
  rent,
  rented,
  returned,
  take,
  undo,
  waived,
  type Short,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf, refusalOf } from '../../test-support/product/decider-specification.js';
import { fineDue, refundDue } from './borrow-state.js';
import { refundChanged } from './money.decider.js';

const given = borrowsIn('UTC');
const lent = [rented(), issued()];
const late = [...lent, charged(100, 100, 1, day(17))];

describe('paying', () => {
  casesOf(given, [
    ['records the payment', late, pay(100), [paid(100)]],
    ['takes a part', late, pay(40), [paid(40)]],
    ['is refused for nothing', late, pay(0), 'WrongAmount'],
    ['is refused for less than nothing', late, pay(-5), 'WrongAmount'],
    ['is refused for more than is due', late, pay(101), 'WrongAmount'],
    ['is refused where nothing is due', lent, pay(1), 'NothingToPay'],
    ['is refused twice', [...late, paid(100)], pay(100), 'NothingToPay'],
  ]);
});

describe('paying at the desk', () => {
  const desk = (amount: number, at = day(17)) => paid(amount, 'desk', at);
  const part = [...lent, charged(200, 200, 2, day(18)), paid(100)];
  const midnight = day(18, '00:00:00.000');
  casesOf(given, [
    ['records the whole of what is due', late, take(100), [desk(100)]],
    ['records what a payment of a part has left', part, take(100, day(18)), [desk(100, day(18))]],
    ['records a part', late, take(1, day(17), 100), [desk(1)]],
    ['records all but a grosz', late, take(99, day(17), 100), [desk(99)]],
    ['is refused for nothing', late, take(0, day(17), 100), 'WrongAmount'],
    ['is refused for less than nothing', late, take(-100, day(17), 100), 'WrongAmount'],
    ['is refused for more than is due', late, take(101, day(17), 100), 'WrongAmount'],
    ['is refused where less is seen than is due', late, take(50, day(17), 99), 'FeeChanged'],
    ['is refused where more is seen than is due', late, take(50, day(17), 101), 'FeeChanged'],
    ['is refused once a day has begun that nobody has charged', late, take(100, midnight), 'FeeChanged'],
    ['is refused for such a day, too', late, take(200, midnight), 'FeeChanged'],
    ['is refused where nothing is due', lent, take(50, day(16)), 'NothingToPay'],
    ['is refused twice', [...late, paid(100)], take(100), 'NothingToPay'],
    ['is refused for an unknown borrow', [], take(50), 'BorrowNotFound'],
  ]);
  it('names the amount that is due by now', () =>
    given(...late).refuses(take(100, day(18)), 'FeeChanged', 'The fee is now 2.00 PLN.'));
});

describe('waiving a fee', () => {
  type Waive = Extract<Short, { type: 'WaiveFee' }>;
  const waive = (amount: number, more: Partial<Waive> = {}): Waive => ({
    ...{ type: 'WaiveFee', amount, reason: 'illness', upTo: null, at: day(17) },
    ...more,
  });
  const given50 = waived(50, day(17));
  const undone: BorrowEvent = {
    type: 'WaiverUndone',
    data: { borrowId: BORROW, revision: 3, amount: 50, undoneBy: OTHER, undoneAt: day(17) },
  };
  const otherLent = [rented(OTHER, [9]), issued(OTHER, [9])];
  const asked = { by: OTHER, due: 100 };
  const allWaived = [...late, waived(100, day(17))];
  casesOf(given, [
    ['is of the whole', late, waive(100), [waived(100, day(17))]],
    ['is of a part', [...late, paid(40)], waive(60), [waived(60, day(17))]],
    ['is refused for nothing', late, waive(0), 'WrongAmount'],
    ['is refused for less than nothing', late, waive(-1), 'WrongAmount'],
    ['is refused for more than is due', late, waive(101), 'WrongAmount'],
    ['is refused where nothing is due', allWaived, waive(1), 'NothingToPay'],
    ['is refused of one’s own', late, waive(100, { librarianId: READER }), 'OwnFee'],
    ['is possible up to one’s limit', late, waive(60, { upTo: 60 }), [waived(60, day(17))]],
    ['is possible up to it in parts', [...late, given50], waive(10, { upTo: 60 }), [waived(10, day(17))]],
    ['is refused beyond it in parts', [...late, given50], waive(11, { upTo: 60 }), 'WaiverAboveLimit'],
    [
      'counts nothing that others waived against it',
      [...late, but(given50, { waivedBy: OTHER })],
      waive(50, { upTo: 60 }),
      [given50],
    ],
    [
      'counts nothing that was undone against it',
      [...late, given50, undone],
      waive(60, { upTo: 60 }),
      [waived(60, day(17))],
    ],
    [
      'counts nothing of another borrow against it',
      [...otherLent, ...late, but(given50, { borrowId: OTHER })],
      waive(60, { upTo: 60 }),
      [waived(60, day(17))],
    ],
    [
      'names who asked for it, too',
      late,
      waive(80, { asked, upTo: 80 }),
      [but(waived(80, day(17)), { askedBy: OTHER })],
    ],
    ['that was asked for keeps to the limit', late, waive(80, { asked, upTo: 79 }), 'WaiverAboveLimit'],
    ['is not answered by who asked', late, waive(80, { asked, librarianId: OTHER }), 'NotAllowed'],
    ['that was asked for needs the fee as it was', [...late, paid(1)], waive(80, { asked }), 'FeeChanged'],
    ['that was asked for needs a fee', [...late, paid(100)], waive(80, { asked }), 'NothingToPay'],
    ['that was asked for is not of one’s own', late, waive(80, { asked, librarianId: READER }), 'OwnFee'],
    ['lets the books be given back', allWaived, giveBack(day(17)), [returned(day(17))]],
    ['counts as paid in later charges', allWaived, charge(day(18)), [charged(100, 200, 2, day(18))]],
    ['counts as paid in later payments', [...late, waived(60)], pay(41), 'WrongAmount'],
  ]);
  it('says how much may be waived, and what was', () => {
    given(...late).refuses(
      waive(61, { upTo: 60 }),
      'WaiverAboveLimit',
      '0.60 PLN of one borrow alone. Nothing',
    );
    const again = given(...late, given50);
    again.refuses(waive(11, { upTo: 60 }), 'WaiverAboveLimit', 'you have waived 0.50 PLN of this one.');
  });
});

describe('what was paid for a book that was found', () => {
  const lost = [...lent, gone('BookLost')];
  const paidFor = [...lost, paid(4990), found()];
  const refund = (amount: number, librarianId = LIBRARIAN): Short => ({
    ...{ type: 'PayRefund', amount, librarianId, at: day(20) },
  });
  const moneyOf = (...events: BorrowEvent[]) => {
    const borrow = borrowAfter(...events);
    return [fineDue(borrow), refundDue(borrow), borrow.paid];
  };
  const twoDays = charged(200, 200, 2, day(18));
  const oneBook = charged(100, 100, 2, day(18));
  const partly = [...paidFor, refunded(4990 - 99)];
  const rented7 = but(rented(OTHER, [7]), { rentedAt: day(18), collectBy: end(21) });
  const waivedPart = [...lost, waived(990, day(11)), paid(4000), found()];
  const undone = { borrowId: BORROW, revision: 5, amount: 4990, undoneBy: LIBRARIAN, undoneAt: day(20) };
  casesOf(given, [
    ['is given back at the desk', paidFor, refund(4990), [refunded()]],
    ['is given back in part', paidFor, refund(1), [refunded(1)]],
    ['is not more than was paid', paidFor, refund(4991), 'WrongAmount'],
    ['is not nothing', paidFor, refund(0), 'WrongAmount'],
    ['is given back once', [...paidFor, refunded()], refund(4990), 'NothingToRefund'],
    ['is not given back to oneself', paidFor, refund(4990, READER), 'OwnFee'],
    ['is not given back before that', [...lost, paid(4990)], refund(4990), 'NothingToRefund'],
    ['is given back less what is charged by then', [...paidFor, twoDays], refund(4990), 'WrongAmount'],
    ['is not what was waived of it', waivedPart, refund(4990), 'WrongAmount'],
    ['is what was not waived of it', waivedPart, refund(4000), [refunded(4000)]],
    ['covers a day before it is charged', paidFor, rent([7], OTHER, day(18)), [rented7]],
    ['covers a day once it is charged', [...paidFor, oneBook], rent([7], OTHER, day(18)), [rented7]],
    ['leaves nothing to pay for such a day', paidFor, take(100, day(18)), 'NothingToPay'],
    ['leaves nothing to pay once it is charged', [...paidFor, oneBook], take(100, day(18)), 'NothingToPay'],
    ['covers a day with a return', paidFor, giveBack(day(18), [2]), [oneBook, returned(day(18), [2])]],
    [
      'covers a day with a return once it is charged',
      [...paidFor, oneBook],
      giveBack(day(18), [2]),
      [returned(day(18), [2])],
    ],
    ['covers no day for which a grosz is missing', partly, rent([7], OTHER, day(18)), 'FeeNotPaid'],
    ['covers no return for which a grosz is missing', partly, giveBack(day(18), [2]), 'FeeNotPaid'],
    [
      'covers no day for which it was missing once it is charged',
      [...partly, oneBook],
      rent([7], OTHER, day(18)),
      'FeeNotPaid',
    ],
    [
      'is owed again once giving it back was undone',
      [...paidFor, refunded()],
      undo(5, day(20)),
      [{ type: 'RefundUndone', data: { ...undone, transactionId: 'tx-1' } }],
    ],
    ['is not undone by oneself', [...paidFor, refunded()], undo(5, day(20), READER), 'OwnFee'],
    ['is not undone later', [...paidFor, refunded()], undo(5, day(20, '10:11:00.000')), 'NothingToUndo'],
    [
      'is not undone once money changes hands again',
      [...paidFor, refunded(), charged(200, 200, 2, day(20)), paid(200, 'desk', day(20))],
      undo(5, day(20)),
      'UndoBlocked',
    ],
  ]);
  it('is owed to the reader, less what is charged by then', () => {
    expect(moneyOf(...paidFor)).toEqual([0, 4990, 4990]);
    expect(moneyOf(...paidFor, twoDays)).toEqual([0, 4790, 4990]);
    expect(moneyOf(...paidFor, refunded())).toEqual([0, 0, 0]);
    expect(moneyOf(...paidFor, refunded(), twoDays)).toEqual([200, 0, 0]);
    expect(moneyOf(...paidFor, oneBook, returned(day(18), [2]))).toEqual([0, 4890, 4990]);
  });
  it('is told as it is by now', () => {
    const changed = () => {
      throw refundChanged(150);
    };
    expect(refusalOf(changed)).toMatchObject({
      code: 'FeeChanged',
      words: expect.stringContaining('1.50 PLN'),
    });
  });
});
