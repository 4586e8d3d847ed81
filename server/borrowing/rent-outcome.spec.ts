import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { isRentOver } from './rent-outcome.js';

const isOver = (code: ProblemCode, isNamed: boolean) =>
  isRentOver(new DomainError(code, 'refused'), { isNamed });

describe('the copies of a rent that failed', () => {
  it.each<[ProblemCode, without: boolean, withKey: boolean]>([
    ['TooManyBooks', true, true],
    // No rule decided: another attempt by the key may be stored.
    ['ConcurrentChange', true, false],
    ['IdempotencyKeyReused', true, false],
    // An earlier sending may have been stored.
    ['EventStoreUnavailable', false, false],
    ['HistoryUnreadable', false, false],
  ])('go back after %s: %s without a key, %s with one', (code, without, withKey) => {
    expect([isOver(code, false), isOver(code, true)]).toEqual([without, withKey]);
  });

  it('stay where nobody knows what happened', () => {
    expect(isRentOver(new Error('the connection was lost'), {})).toBe(false);
  });
});
