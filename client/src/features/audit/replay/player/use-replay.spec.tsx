import { jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import type { History } from '../history/history.js';
import type { ReplayAddress } from '../replay-address.js';
import { useReplay, MAX_WAIT_MS, play, stopFrom, type Speed } from './use-replay.js';
import { eventsOf, type TestEvent } from '../../../../../test-support/audit-history.js';
import type { Proportion } from '../chart/scale.js';

const HISTORY = { events: Array.from({ length: 6 }, () => ({})) } as unknown as History;
/** Longer than one rests before the address is asked to follow, shorter than it takes to give up on it. */
const RESTED_MS = 500;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the place in a history and its address', () => {
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
  type Step = 'rest' | { goTo: number } | { arriveAt: number | null; shows?: number };

  it.each<{ what: string; steps: Step[]; asked: (number | null)[] }>([
    {
      what: 'keeps what one moved to while the address was following an earlier move',
      steps: [{ goTo: 1 }, 'rest', { goTo: 2 }, { arriveAt: 1, shows: 2 }, 'rest', { arriveAt: 2, shows: 2 }],
      asked: [1, 2],
    },
    {
      what: 'comes back to the newest state also while the address was still following to an earlier one',
      steps: [{ goTo: 3 }, 'rest', { goTo: 6 }, 'rest', { arriveAt: 3 }, { arriveAt: null, shows: 6 }],
      asked: [3, null],
    },
    {
      what: 'asks once for a place where the address is already going',
      steps: [{ goTo: 3 }, 'rest', { goTo: 4 }, { goTo: 3 }, 'rest', { arriveAt: 3, shows: 3 }],
      asked: [3],
    },
    {
      what: 'follows Back or a link, and leaves what one was about to rest at',
      steps: [
        ...([
          { goTo: 1 },
          'rest',
          { arriveAt: 1, shows: 1 },
          { goTo: 2 },
          { arriveAt: 5, shows: 5 },
        ] as const),
        ...([{ goTo: 3 }, { arriveAt: 1, shows: 1 }, 'rest'] as const),
      ],
      asked: [1],
    },
  ])('$what', ({ steps, asked }) => {
    const { change, replay, goTo, rest, arriveAt } = opened();
    for (const step of steps) {
      if (step === 'rest') rest();
      else if ('goTo' in step) goTo(step.goTo);
      else {
        arriveAt(step.arriveAt);
        if (step.shows !== undefined) expect(replay().number).toBe(step.shows);
      }
    }
    expect(change.mock.calls).toEqual(asked.map((at) => [{ at }]));
  });

  it('plays on where the address follows only after the start', () => {
    const { replay, goTo, rest, arriveAt } = opened();
    goTo(1);
    rest();
    goTo(2);
    act(() => replay().toggle());
    arriveAt(1);
    expect([replay().playing, replay().number]).toEqual([true, 2]);
  });
});

/** A day apart, and one a year later. */
const days: TestEvent[] = [
  { type: 'BooksRented', borrow: 'a', at: '2026-03-01T10:00:00Z' },
  { type: 'BooksIssued', borrow: 'a', at: '2026-03-02T10:00:00Z' },
  { type: 'BooksReturned', borrow: 'a', at: '2026-03-03T10:00:00Z' },
  { type: 'BooksRented', borrow: 'b', at: '2027-03-03T10:00:00Z' },
];

describe('the player', () => {
  function playing(
    options: { speed?: Speed; proportion?: Proportion; from?: number; stops?: number[]; count?: number } = {},
  ) {
    const { speed = 1, proportion = 'events', from = 0, count = 4 } = options;
    const [first] = days;
    const events = eventsOf(count === 4 ? days : Array.from({ length: count }, () => first as TestEvent));
    const onMove = jest.fn();
    const onEnd = jest.fn();
    const stops = options.stops ?? Array.from({ length: count + 1 }, (_, number) => number);
    const stop = play({ events, stops, from, speed, proportion, onMove, onEnd });
    const moves = () => onMove.mock.calls.map(([number]) => number);
    return { moves, onEnd, stop };
  }

  it('plays one event a second, says when it is at the end, and is still then', () => {
    const { moves, onEnd } = playing();
    jest.advanceTimersByTime(950);
    expect(moves()).toEqual([]);
    jest.advanceTimersByTime(100);
    expect(moves()).toEqual([1]);
    jest.advanceTimersByTime(3000);
    expect(moves()).toEqual([1, 2, 3, 4]);
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('takes as many events as the speed says, several in a step', () => {
    const { moves } = playing({ speed: 64, count: 200 });
    jest.advanceTimersByTime(1000);
    expect(moves().at(-1)).toBe(64);
    expect(moves().length).toBeLessThanOrEqual(20);
  });

  it('plays a day a second by time, and does not wait through a quiet year', () => {
    const { moves } = playing({ proportion: 'time', from: 1 });
    jest.advanceTimersByTime(2000);
    expect(moves()).toEqual([2, 3]);
    jest.advanceTimersByTime(MAX_WAIT_MS - 100);
    expect(moves()).toEqual([2, 3]);
    jest.advanceTimersByTime(100);
    expect(moves()).toEqual([2, 3, 4]);
  });

  it('stops only where a filter lets it, and no more once it is stopped', () => {
    const filtered = playing({ stops: [2, 4] });
    jest.advanceTimersByTime(1000);
    expect(filtered.moves()).toEqual([2]);
    filtered.stop();
    jest.advanceTimersByTime(5000);
    expect(filtered.moves()).toEqual([2]);
    expect(filtered.onEnd).not.toHaveBeenCalled();
  });
});

describe('stepping', () => {
  const stops = [2, 5, 9];

  it.each([
    [0, 1, 2],
    [2, 1, 5],
    [3, 1, 5],
    [9, 1, 9],
    [9, -1, 5],
    [7, -1, 5],
    [2, -1, 2],
    [12, -1, 9],
    [2, 10, 9],
    [9, -10, 2],
  ])('from %i by %i comes to %i', (from, steps, to) => expect(stopFrom(stops, from, steps)).toBe(to));

  it('goes nowhere where there is nothing to stop at', () => expect(stopFrom([], 3, 1)).toBe(3));
});
