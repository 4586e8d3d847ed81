import fc from 'fast-check';
import { isHoldEvent, type HoldEvent, type ReaderEvent } from '#contracts/holds/hold-events.js';
import { attempts, play } from '../../test-support/arbitraries/borrow-arbitraries.js';
import {
  abandoned,
  BORROW,
  but,
  charged,
  day,
  end,
  issued,
  LIBRARIAN,
  OTHER,
  READER,
  rented,
  renewed,
  waived,
} from '../../test-support/arbitraries/borrow-history.js';
import { forAll } from '../../test-support/arbitraries/for-all.js';
import { BorrowReplay, occurredAt } from './borrow-replay.js';
import { evolve, fold, NO_BORROWS } from './borrow-state.js';

function replayOf(events: readonly ReaderEvent[], times = events.map(occurredAt)): BorrowReplay {
  const replay = new BorrowReplay();
  events.forEach((event, revision) =>
    replay.add({
      ...{ revision, position: BigInt(revision * 10), type: event.type, actor: READER },
      ...(isHoldEvent(event) ? { event: null, hold: event } : { event }),
      ...{ occurredAt: times[revision] ?? 0, recordedAt: 0 },
    }),
  );
  return replay;
}

describe('a replay of borrows, holds, renewals and waivers', () => {
  const [HOLD, NEXT] = ['5e0f8c1a-2b3d-4e5f-8a9b-0c1d2e3f4a5b', '6f1a9d2b-3c4e-4f6a-9b0c-1d2e3f4a5b6c'];
  const placed = (holdId: string, title: string, placedAt: string): HoldEvent => ({
    type: 'HoldPlaced',
    data: {
      ...{ holdId, readerId: READER, bookId: 7, title, neededUntil: null },
      ...{ placedBy: READER, placedAt, policyVersion: 1 },
    },
  });
  const events: ReaderEvent[] = [
    placed(HOLD, 'Solaris', day(1, '09:00:00.000')),
    ...[rented(), rented(OTHER, [9]), issued(), but(abandoned, { borrowId: NEXT, abandonedAt: day(2) })],
    { type: 'HoldCancelled', data: { holdId: HOLD, cancelledBy: READER, cancelledAt: day(3) } },
    placed(NEXT, 'Fiasko', day(4)),
    ...[renewed(end(24)), renewed(end(27), day(13)), charged(100, 100, 1, day(28))],
    ...[waived(40, day(28)), waived(50, day(28))],
    {
      type: 'WaiverUndone',
      data: { borrowId: BORROW, revision: 11, amount: 50, undoneBy: LIBRARIAN, undoneAt: day(28) },
    },
    but(rented(NEXT, [5]), { rentedAt: day(29) }),
  ];
  const replay = replayOf(events);

  it('gives, as of each event, the state of all up to it', () => {
    for (let count = 0; count <= events.length; count += 1)
      expect(replay.stateAt(count - 1)).toEqual(fold(events.slice(0, count)));
    expect(replay.stateAt(99)).toEqual(fold(events));
  });

  it('lists its borrows, the newest first, and each as it was', () => {
    const listed = (revision: number) => replay.borrowsAt(revision).map(({ borrow }) => borrow.id);
    expect(listed(13)).toEqual([NEXT, OTHER, BORROW]);
    expect(listed(2)).toEqual([OTHER, BORROW]);
    expect(replay.borrowAt(BORROW, 7)).toMatchObject({ revision: 7, position: 70n });
    expect(replay.borrowAt(BORROW, 0)).toBeUndefined();
    expect([BORROW, NEXT, HOLD].map((id) => replay.has(id))).toEqual([true, true, false]);
  });

  it('reads on from an event, and knows what its holds are for', () => {
    const after = (revision: number, most: number) =>
      replay.eventsAfter(revision, most).map((each) => each.revision);
    expect(after(-1, 2)).toEqual([0, 1]);
    expect(after(3, 3)).toEqual([4, 5, 6]);
    expect(after(12, 3)).toEqual([13]);
    expect([HOLD, NEXT, BORROW].map((id) => replay.titleOfHold(id))).toEqual([
      'Solaris',
      'Fiasko',
      undefined,
    ]);
  });
});

describe('a replay', () => {
  it('gives, as of any event, the state that was decided on right after it', () => {
    forAll([attempts], { numRuns: 75 }, (tries) => {
      const { events } = play(READER, tries);
      const live = [NO_BORROWS];
      for (const event of events) live.push(evolve(live.at(-1) ?? NO_BORROWS, event));
      const replay = replayOf(events);
      live.forEach((state, count) => {
        expect(replay.asOf({ revision: count - 1 }).revision).toBe(count - 1);
        expect(replay.stateAt(count - 1)).toEqual(state);
      });
    });
  });

  it('gives, as of any instant, the events up to the first that is later, even where clocks disagreed', () => {
    const skews = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: -50_000_000, max: 50_000_000 })), {
      ...{ minLength: 60, maxLength: 60 },
    });
    const offsets = fc.oneof(
      fc.constantFrom(-1, 0, 1),
      fc.integer({ min: -3_600_000, max: 90 * 86_400_000 }),
    );
    forAll([attempts, skews, fc.nat(60), offsets], { numRuns: 150 }, (tries, skew, pick, offset) => {
      const { events } = play(READER, tries);
      const times = events.map((event, index) => occurredAt(event) + (skew[index] ?? 0));
      const instant = (times[pick % Math.max(times.length, 1)] ?? 0) + offset;
      const later = times.findIndex((time) => time > instant);
      const { revision } = replayOf(events, times).asOf({ instant: new Date(instant).toISOString() });
      expect(revision).toBe((later < 0 ? times.length : later) - 1);
    });
  });

  it('is empty before the first event, and takes a revision beyond the last for the last', () => {
    const histories = fc
      .sample(attempts, { numRuns: 20, seed: 11 })
      .map((tries) => play(READER, tries).events);
    const events = histories.find(({ length }) => length > 3) ?? [];
    const replay = replayOf(events);
    expect(events.length).toBeGreaterThan(3);
    expect(replay.asOf({ revision: -1 })).toEqual({ revision: -1, at: null });
    expect(replay.borrowsAt(-1)).toEqual([]);
    expect(replay.asOf({ revision: 1_000_000 })).toEqual(replay.asOf());
    expect(replay.asOf().revision).toBe(events.length - 1);
    expect(new BorrowReplay().asOf()).toEqual({ revision: -1, at: null });
  });
});
