import { jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { History } from '../history/history.js';
import type { ReplayAddress } from '../replay-address.js';
import { useReplay } from './use-replay.js';

const HISTORY = { events: Array.from({ length: 6 }, () => ({})) } as unknown as History;
/** Longer than one rests before the address is asked to follow, shorter than it takes to give up on it. */
const RESTED_MS = 500;

describe('the place in a history and its address', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function opened() {
    const change = jest.fn<(changes: Partial<ReplayAddress>) => void>();
    const { result, rerender } = renderHook(
      ({ at }: { at: number | null }) =>
        useReplay(HISTORY, { at, borrowId: null, kind: null } as ReplayAddress, change),
      { initialProps: { at: null as number | null } },
    );
    return {
      change,
      replay: () => result.current,
      goTo: (number: number) => act(() => result.current.goTo(number)),
      rest: () => act(() => jest.advanceTimersByTime(RESTED_MS)),
      arriveAt: (at: number | null) => rerender({ at }),
    };
  }

  it('keeps what one moved to while the address was following an earlier move', () => {
    const { change, replay, goTo, rest, arriveAt } = opened();
    goTo(1);
    rest();
    expect(change).toHaveBeenLastCalledWith({ at: 1 });
    goTo(2);
    arriveAt(1);
    expect(replay().number).toBe(2);
    rest();
    expect(change).toHaveBeenLastCalledWith({ at: 2 });
    arriveAt(2);
    expect(replay().number).toBe(2);
  });

  it('comes back to the newest state also while the address was still following to an earlier one', () => {
    const { change, replay, goTo, rest, arriveAt } = opened();
    goTo(3);
    rest();
    goTo(6);
    rest();
    expect(change.mock.calls).toEqual([[{ at: 3 }], [{ at: null }]]);
    expect(replay().number).toBe(6);
    arriveAt(3);
    arriveAt(null);
    expect(replay().number).toBe(6);
  });

  it('asks once for a place where the address is already going', () => {
    const { change, replay, goTo, rest, arriveAt } = opened();
    goTo(3);
    rest();
    goTo(4);
    goTo(3);
    rest();
    arriveAt(3);
    expect(change).toHaveBeenCalledTimes(1);
    expect(replay().number).toBe(3);
  });

  it('follows Back or a link, and leaves what one was about to rest at', () => {
    const { change, replay, goTo, rest, arriveAt } = opened();
    goTo(1);
    rest();
    arriveAt(1);
    goTo(2);
    arriveAt(5);
    expect(replay().number).toBe(5);
    goTo(3);
    arriveAt(1);
    expect(replay().number).toBe(1);
    rest();
    expect(change).toHaveBeenCalledTimes(1);
  });

  it('plays on where the address follows only after the start', () => {
    const { replay, goTo, rest, arriveAt } = opened();
    goTo(1);
    rest();
    goTo(2);
    act(() => replay().toggle());
    arriveAt(1);
    expect(replay().playing).toBe(true);
    expect(replay().number).toBe(2);
  });
});
