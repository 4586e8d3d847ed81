import type { HoldEvent } from '#contracts/holds/hold-events.js';
import { letterOfEvent } from './letter-reactor.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';
const LIBRARIAN = 'c2f7a0d4-91f3-4b8e-a1d0-3e5b7c9f0a22';
const HOLD = '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30';
const AT = '2026-11-02T00:00:05.000Z';

const kindOf = (event: HoldEvent) =>
  letterOfEvent({
    id: '7d1d2f6c-3c58-4a5e-8b7e-6f1c9a0d4e55',
    key: READER,
    event,
    metadata: { $correlationId: HOLD },
  } as Parameters<typeof letterOfEvent>[0])?.kind;
const over = (reason: 'day-passed' | 'has-the-book') =>
  kindOf({ type: 'HoldNoLongerNeeded', data: { holdId: HOLD, reason, endedAt: AT } });
const cancelledBy = (cancelledBy: string) =>
  kindOf({ type: 'HoldCancelled', data: { holdId: HOLD, cancelledBy, cancelledAt: AT } });

describe('the letter about the end of a hold', () => {
  it('tells the reader that their last day has passed, and not that they have the book', () => {
    expect(over('day-passed')).toBe('hold-not-needed');
    expect(over('has-the-book')).toBeUndefined();
  });

  it('tells them of what the library did, and not of what they did themselves', () => {
    expect(cancelledBy(LIBRARIAN)).toBe('hold-cancelled');
    expect(cancelledBy(READER)).toBeUndefined();
  });
});
