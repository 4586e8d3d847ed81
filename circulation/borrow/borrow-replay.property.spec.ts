import fc from 'fast-check';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { attempts, play } from '../../test-support/borrow-arbitraries.js';
import { forAll } from '../../test-support/for-all.js';
import { BorrowReplay, occurredAt } from './borrow-replay.js';
import { evolve, fold, NO_BORROWS } from './borrow-state.js';

const READER = '6b1f1c52-5a30-4f9c-8a63-0a8f5c7d9e11';

function replayOf(events: readonly BorrowEvent[], times = events.map(occurredAt)): BorrowReplay {
  const replay = new BorrowReplay();
  events.forEach((event, revision) =>
    replay.add({
      revision,
      position: BigInt(revision * 10),
      type: event.type,
      event,
      actor: READER,
      occurredAt: times[revision] ?? 0,
      recordedAt: 0,
    }),
  );
  return replay;
}

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

  it('gives, as of any instant, the state that was recorded live by then', () => {
    const offsets = fc.array(fc.integer({ min: -3_600_000, max: 90 * 86_400_000 }), { maxLength: 20 });
    forAll([attempts, offsets], { numRuns: 75 }, (tries, wanted) => {
      const { events } = play(READER, tries);
      const replay = replayOf(events);
      const [first] = events;
      const start = first ? occurredAt(first) : 0;
      // Between the events, and exactly at them.
      const instants = [...wanted.map((offset) => start + offset), ...events.map(occurredAt)];
      for (const instant of instants) {
        const soFar = events.filter((event) => occurredAt(event) <= instant);
        const asOf = replay.asOf({ instant: new Date(instant).toISOString() });
        expect(asOf.revision).toBe(soFar.length - 1);
        expect(replay.stateAt(asOf.revision)).toEqual(fold(soFar));
      }
    });
  });

  it('gives a prefix of the history even where clocks disagreed', () => {
    const skews = fc.array(fc.integer({ min: -50_000_000, max: 50_000_000 }), {
      minLength: 60,
      maxLength: 60,
    });
    forAll([attempts, skews, fc.nat(60)], { numRuns: 75 }, (tries, skew, pick) => {
      const { events } = play(READER, tries);
      const times = events.map((event, index) => occurredAt(event) + (skew[index] ?? 0));
      const instant = times[pick % Math.max(times.length, 1)] ?? 0;
      const later = times.findIndex((time) => time > instant);
      const { revision } = replayOf(events, times).asOf({ instant: new Date(instant).toISOString() });
      expect(revision).toBe((later < 0 ? times.length : later) - 1);
    });
  });

  it('says the same of the past after it has grown', () => {
    forAll([attempts, fc.nat(60)], { numRuns: 75 }, (tries, cut) => {
      const { events } = play(READER, tries);
      const count = Math.min(cut, events.length);
      expect(replayOf(events).stateAt(count - 1)).toEqual(
        replayOf(events.slice(0, count)).stateAt(count - 1),
      );
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
