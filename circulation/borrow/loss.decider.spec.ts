import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { bookState, type Loss } from '#contracts/borrowing/borrowed-book.js';
import {
  BORROW,
  borrowAfter,
  borrowsIn,
  charge,
  charged,
  day,
  found,
  gone,
  issued,
  LIBRARIAN,
  OTHER,
  paid,
  READER,
  refunded,
  rent,
  rented,
  returned,
  undo,
  type Short,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf } from '../../test-support/product/decider-specification.js';

const given = borrowsIn('UTC');
const lent = [rented(), issued()];
const lost = [...lent, gone('BookLost')];
const late = charged(200, 200, 2, day(18));
const lostLate = gone('BookLost', 3990, 1, day(18));

describe('reporting a lost or damaged book', () => {
  const report = (as: Loss, price: number | null = 3990, at = day(10)): Short => ({
    ...{ type: 'ReportLoss', bookId: 1, as, price, at },
  });
  casesOf(given, [
    ['costs its price and a fee', lent, report('lost'), [gone('BookLost')]],
    ['costs a set price where it has none', lent, report('damaged', null), [gone('BookDamaged', null)]],
    ['costs its days late, too, up to then', lent, report('lost', 3990, day(18)), [late, lostLate]],
    [
      'ends its days there: the other book goes on costing',
      [...lent, late, lostLate],
      charge(day(20)),
      [charged(100, 300, 4, day(20))],
    ],
    ['is refused before it was handed over', [rented()], report('lost'), 'BorrowNotIssued'],
    ['is refused once it is gone', lost, report('damaged'), 'BorrowNotIssued'],
    ['is refused once it is back', [...lent, returned()], report('lost'), 'BorrowNotIssued'],
    ['is refused for an unknown borrow', [], report('lost'), 'BorrowNotFound'],
    ['keeps the reader from renting until it is paid', lost, rent([7], OTHER, day(11)), 'FeeNotPaid'],
  ]);
  it('ends its loan: what is owed shows, and the rest of the borrow goes on', () => {
    const stateOf = (...events: BorrowEvent[]) => {
      const { status, books } = borrowAfter(...events);
      return [status, ...books.map(bookState)].join(' ');
    };
    const both = [...lost, gone('BookLost', null, 2)];
    expect(stateOf(...lost)).toBe('Not_Paid lost lent');
    expect(stateOf(...lost, paid(4990))).toBe('Paid lost lent');
    expect(stateOf(...both)).toBe('Not_Paid lost lost');
    expect(stateOf(...both, paid(4990), paid(5000))).toBe('Returned lost lost');
    expect(stateOf(...lost, found())).toBe('Issued returned lent');
  });
});

describe('finding a lost book', () => {
  const find = (bookId = 1, foundBy = LIBRARIAN): Extract<Short, { type: 'FindBook' }> => ({
    ...{ type: 'FindBook', bookId, foundBy, at: day(20) },
  });
  const copyFound = { ...find(), ofCopy: true };
  casesOf(given, [
    ['takes its charge back', lost, find(), [found()]],
    ['is refused twice', [...lost, found()], find(), 'BookNotLost'],
    ['is refused for a book of another borrow', lost, find(3), 'BookNotLost'],
    ['is refused of one’s own', lost, find(1, READER), 'OwnFee'],
    ['leaves the charge of a damaged one', [...lent, gone('BookDamaged')], find(), 'BookNotLost'],
    ['is nothing new where its copy was found', [...lost, found()], copyFound, []],
    ['is refused of one’s own where its copy was found', lost, { ...copyFound, foundBy: READER }, 'OwnFee'],
  ]);
});

describe('undoing', () => {
  const at = day(10, '10:05:00.000');
  const undone = { borrowId: BORROW, bookId: 1, amount: 4990, undoneBy: LIBRARIAN };
  const paidFor = [...lost, paid(4990), found()];
  casesOf(given, [
    [
      'a loss takes its charge back',
      lost,
      undo(2, at),
      [{ type: 'LossUndone', data: { ...undone, revision: 2, undoneAt: at } }],
    ],
    ['a loss is refused once it was paid', [...lost, paid(4990, 'sandbox', at)], undo(2, at), 'UndoBlocked'],
    ['a loss is refused once it was found', [...lost, found(at)], undo(2, at), 'UndoBlocked'],
    ['a loss is refused later', lost, undo(2, day(10, '10:11:00.000')), 'NothingToUndo'],
    ['a loss is refused of one’s own', lost, undo(2, at, READER), 'OwnFee'],
    [
      'a finding brings its charge back',
      paidFor,
      undo(4, day(20)),
      [{ type: 'FindingUndone', data: { ...undone, revision: 4, undoneAt: day(20) } }],
    ],
    [
      'a finding is refused once money was given back',
      [...paidFor, refunded()],
      undo(4, day(20)),
      'UndoBlocked',
    ],
  ]);
});
