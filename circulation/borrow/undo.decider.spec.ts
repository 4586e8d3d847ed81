import { borrowEventTime, type BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { ProblemCode } from '#contracts/problem.js';
import {
  BORROW,
  borrowAfter,
  borrowsIn,
  but,
  charged,
  day,
  end,
  gone,
  issued,
  LIBRARIAN,
  OTHER,
  paid,
  READER,
  rented,
  renewed,
  returned,
  takenBack,
  undo,
  waived,
  type Short,
} from '../../test-support/arbitraries/borrow-history.js';
import { casesOf } from '../../test-support/product/decider-specification.js';
import { borrowRules } from '../rules/borrow.policy.js';
import { RECENT_WINDOW } from './recent-events.js';
import { undoableSteps } from './undo.decider.js';

const RULES = borrowRules('UTC');
const given = borrowsIn('UTC');
const lent = [rented(), issued()];
const back = [...lent, returned()];
const late = [...lent, charged(200, 200, 2, day(18))];
const lateBack = [...late, takenBack(day(18))];
const desk = paid(200, 'desk');
const soon = day(2, '10:05:00.000');
const until = day(2, '10:10:00.000');
const first = [rented(), issued(BORROW, [1])];
const second = issued(BORROW, [2]);
const others = (count: number) =>
  rented(
    OTHER,
    Array.from({ length: count }, (_, n) => 11 + n),
  );
const fence = (bookIds = [1, 2], abandonedAt = day(15)): BorrowEvent => ({
  type: 'UndoAbandoned',
  data: { borrowId: BORROW, bookIds, abandonedAt },
});
const damaged = [...lent, gone('BookDamaged', 0, 1), gone('BookDamaged', 0, 2)];

describe('undoing, at once,', () => {
  type Undone = { type: BorrowEvent['type']; bookIds?: number[]; [name: string]: unknown };
  const both = [1, 2];
  it.each<[what: string, history: BorrowEvent[], revision: number, outcome: ProblemCode | Undone]>([
    [
      'an issue puts the books back to those that wait',
      lent,
      1,
      { type: 'IssueUndone', bookIds: both, dueDate: null },
    ],
    [
      'a part’s issue gives back the due day before',
      [...first, but(second, { dueDate: end(17) })],
      2,
      { type: 'IssueUndone', bookIds: [2], dueDate: end(16) },
    ],
    [
      'an issue leaves another book that is back',
      [...first, returned(day(2), [1]), second],
      3,
      { type: 'IssueUndone', bookIds: [2], dueDate: end(16) },
    ],
    ['a return gives the books back to the reader', back, 2, { type: 'ReturnUndone', bookIds: both }],
    [
      'a part’s return leaves the other part',
      [...lent, returned(day(2), [1]), returned(day(2), [2])],
      2,
      { type: 'ReturnUndone', bookIds: [1] },
    ],
    [
      'what the desk took back is with the reader again',
      lateBack,
      3,
      { type: 'ReturnUndone', bookIds: both },
    ],
    [
      'a return is possible up to ten books',
      [...back, but(others(8), { rentedAt: day(15) })],
      2,
      { type: 'ReturnUndone', bookIds: both },
    ],
    ['a waiver makes the money due again', [...late, waived(200)], 3, { type: 'WaiverUndone', amount: 200 }],
    [
      'a payment makes the money due again',
      [...late, desk],
      3,
      { type: 'PaymentUndone', amount: 200, transactionId: 'tx-1' },
    ],
    [
      'a payment goes on where a return was given up',
      [...late, desk, fence(both, day(18))],
      3,
      { type: 'PaymentUndone', amount: 200, transactionId: 'tx-1' },
    ],
    [
      'a loss is possible up to ten books',
      [...damaged, but(others(9), { rentedAt: day(10) })],
      3,
      { type: 'LossUndone', bookId: 2, amount: 1000 },
    ],
    ['a loss is refused beyond them', [...damaged, but(others(10), { rentedAt: day(10) })], 3, 'UndoBlocked'],
    ['a payment online is left to its provider', [...late, paid(200)], 3, 'NothingToUndo'],
    ['a charge is refused', late, 2, 'NothingToUndo'],
    ['a rent is refused', [rented()], 0, 'NothingToUndo'],
    [
      'what was undone is refused',
      [
        ...late,
        waived(200),
        {
          type: 'WaiverUndone',
          data: { borrowId: BORROW, revision: 3, amount: 200, undoneBy: LIBRARIAN, undoneAt: day(18) },
        },
      ],
      3,
      'NothingToUndo',
    ],
    ['another borrow is refused', [rented(OTHER), issued(OTHER)], 1, 'BorrowNotFound'],
    ['what was given up is refused', [...back, fence()], 2, 'NothingToUndo'],
    ['what was given up for a part is refused', [...back, fence([2])], 2, 'NothingToUndo'],
    [
      'what the desk took back is refused once given up',
      [...lateBack, fence(both, day(18))],
      3,
      'NothingToUndo',
    ],
  ])('%s', (_what, history, revision, outcome) => {
    const at = borrowEventTime(history.at(-1) as BorrowEvent);
    if (typeof outcome === 'string') return given(...history).refuses(undo(revision, at), outcome);
    const { type, ...data } = outcome;
    const event = { type, data: { borrowId: BORROW, revision, ...data, undoneBy: LIBRARIAN, undoneAt: at } };
    given(...history).decides(undo(revision, at), event as BorrowEvent);
  });

  it.each<[what: string, history: BorrowEvent[], revision: number, words: string]>([
    ['an issue, a book is back', [...lent, returned(soon, [1])], 1, 'Books have since come back'],
    ['an issue, others are issued', [...first, second], 1, 'Other books of this borrow'],
    ['an issue, it is renewed', [...lent, renewed(end(30), soon)], 1, 'since been renewed'],
    ['an issue, it is charged', [...lent, charged(100, 100, 1, soon)], 1, 'since been charged'],
    ['a return, it is paid', [...lateBack, desk], 3, 'since been paid'],
    ['a return, it is waived', [...lateBack, waived(200)], 3, 'since been waived'],
    [
      'a return, the reader has a book again',
      [...back, but(rented(OTHER, [1]), { rentedAt: day(15) })],
      2,
      'the book again',
    ],
    [
      'a return, the reader has too many others',
      [...back, but(others(9), { rentedAt: day(15) })],
      2,
      'at most 10',
    ],
    [
      'what the desk took back, they have it again',
      [...lateBack, but(rented(OTHER, [1]), { rentedAt: day(18) })],
      3,
      'the book again',
    ],
    ['a payment, the books are back', [...late, desk, returned(day(18))], 3, 'since been returned'],
    ['a waiver, the books are back', [...late, waived(200), returned(day(18))], 3, 'since been returned'],
  ])('is refused once, after %s', (_what, history, revision, words) => {
    const at = borrowEventTime(history.at(-1) as BorrowEvent);
    given(...history).refuses(undo(revision, at), 'UndoBlocked', words);
  });
});

describe('undoing', () => {
  const abandon = (bookIds = [1, 2]): Short => ({ type: 'AbandonUndo', bookIds, at: day(15) });
  casesOf(given, [
    ['is refused after ten minutes', lent, undo(1, day(2, '10:10:00.001')), 'NothingToUndo'],
    ['is refused of one’s own payment', [...late, desk], undo(3, day(18), READER), 'OwnFee'],
    ['is given up by a fence', back, abandon(), [fence()]],
    ['is given up for the books that are named alone', back, abandon([2]), [fence([2])]],
    ['is not given up where it was stored', lent, abandon(), []],
  ]);
  it('is possible to who gains nothing by it, for ten minutes', () => {
    const undone = { borrowId: BORROW, revision: 1, undoneBy: READER, undoneAt: until };
    given(...lent).decides(undo(1, until, READER), {
      ...{ type: 'IssueUndone', data: { ...undone, bookIds: [1, 2], dueDate: null } },
    });
  });
});

describe('what can be undone', () => {
  const offers = (history: BorrowEvent[], at: string) =>
    undoableSteps(borrowAfter(...history), at, RULES).map((step) => [step.what, step.until, step.bookIds]);

  it('is offered for ten minutes to the millisecond, as far as nothing is in the way', () => {
    expect(offers([rented()], day(1))).toEqual([]);
    expect(offers(lent, until)).toEqual([['issue', until, [1, 2]]]);
    expect(offers(lent, day(2, '10:10:00.001'))).toEqual([]);
    const partBack = [...lent, returned(soon, [1])];
    expect(offers(partBack, until)).toEqual([['return', day(2, '10:15:00.000'), [1]]]);
    const bothBack = [...lent, returned(day(15), [1]), returned(day(15), [2])];
    expect(offers(bothBack, day(15)).map(([, , bookIds]) => bookIds)).toEqual([[2], [1]]);
    expect(offers([...late, paid(200)], day(18))).toEqual([]);
    expect(offers([...late, desk], day(18))).toEqual([['payment', day(18, '10:10:00.000'), []]]);
  });

  it('is known for as long as the rules let it be undone', () => {
    expect((RULES.undoMinutes ?? 0) * 60_000).toBeLessThanOrEqual(RECENT_WINDOW);
  });
});
