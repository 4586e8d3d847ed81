import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { History, HistoryEvent } from '../history/history.js';
import type { ReplayAddress } from '../replay-address.js';
import type { Proportion } from '../chart/scale.js';

/** An instant that one rests at for so long is a place to come back to. */
const RESTS_MS = 400;
/**
 * Milliseconds in which the address follows what was asked of it, on a slow machine too; it may have gone elsewhere at that
 * moment. Given up too soon, the next step would go on from where one was before.
 */
const FOLLOWS_MS = 5000;

export interface Replay {
  /** The number of the event whose state is chosen; 0 before the first. */
  number: number;
  /** The numbers that can be stopped at. */
  stops: readonly number[];
  playing: boolean;
  speed: Speed;
  setSpeed: (speed: Speed) => void;
  goTo: (number: number) => void;
  step: (steps: number) => void;
  toggle: () => void;
  /** Events that came while something else was looked at. */
  unseen: number;
}

/** Where in a history one is, and how one moves there. The address follows once one rests. */
export function useReplay(
  { events }: History,
  address: ReplayAddress,
  change: (changes: Partial<ReplayAddress>) => void,
): Replay {
  const total = events.length;
  /** The newest state has no number in the address: it goes on with the history. */
  const addressOf = (number: number) => (number === total ? null : number);
  const { at, borrowId, kind, proportion } = address;
  const [here, setHere] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(1);
  const [seen, setSeen] = useState(total);
  const timer = useRef<number>(undefined);
  /** What the address was asked to follow to and is not yet drawn at; undefined: nothing. */
  const asked = useRef<number | null>(undefined);

  const number = Math.min(here ?? at ?? total, total);
  if (number === total && seen !== total) setSeen(total);

  const stops = useMemo(() => {
    if (borrowId === null && kind === null) return Array.from({ length: total + 1 }, (_, index) => index);
    return events.flatMap((event, index) =>
      (borrowId === null || event.borrowId === borrowId) && (kind === null || event.type === kind)
        ? [index + 1]
        : [],
    );
  }, [events, total, borrowId, kind]);

  const rest = (next: number) => {
    window.clearTimeout(timer.current);
    const target = addressOf(next);
    if (asked.current === undefined && target === at) return setHere(null);
    // Where an earlier change is still under way, what is drawn is not what the address will say.
    if (target !== asked.current) change({ at: target });
    asked.current = target;
    timer.current = window.setTimeout(() => {
      asked.current = undefined;
      setHere(null);
    }, FOLLOWS_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const latest = useRef({ number, rest, here, total });
  useLayoutEffect(() => {
    latest.current = { number, rest, here, total };
  });
  // The address was changed: by ourselves, or by Back or a link. Not while drawing: a drawing that Back overtakes is thrown away.
  useLayoutEffect(() => {
    const own = asked.current === at;
    asked.current = undefined;
    const { here: now } = latest.current;
    // One has moved on while our own change was under way: then that is where one is.
    if (own && now !== null && now !== (at ?? latest.current.total)) return;
    // What one was about to rest at is left.
    window.clearTimeout(timer.current);
    setHere(null);
    if (now !== at) setPlaying(false);
  }, [at]);
  const goTo = (next: number) => {
    setPlaying(false);
    setHere(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current.rest(next), RESTS_MS);
  };

  useEffect(() => {
    if (!playing) return;
    let now = latest.current.number;
    return play({
      events,
      stops,
      from: now,
      speed,
      proportion,
      onMove: (next) => {
        now = next;
        setHere(next);
      },
      onEnd: () => {
        setPlaying(false);
        latest.current.rest(now);
      },
    });
  }, [playing, events, stops, speed, proportion]);

  const first = stops[0] ?? 0;
  const last = stops.at(-1) ?? 0;
  return {
    number,
    stops,
    playing,
    speed,
    setSpeed,
    goTo,
    step: (steps) => goTo(stopFrom(stops, number, steps)),
    toggle: () => {
      if (playing) return goTo(number);
      window.clearTimeout(timer.current);
      // From the end there is nothing more to come: from the beginning then.
      setHere(number >= last ? first : number);
      setPlaying(stops.length > 1);
    },
    unseen: total - seen,
  };
}

export const SPEEDS = [1, 4, 16, 64] as const;
export type Speed = (typeof SPEEDS)[number];

/** How often the player moves, at most. */
const FRAME_MS = 50;
/** At 1×: one event a second, or one day a second. */
const EVENT_MS = 1000;
const DAY_MS = 86_400_000;
/** A quiet stretch of a history is not waited through for longer. */
export const MAX_WAIT_MS = 2000;

interface Play {
  events: readonly HistoryEvent[];
  /** The numbers that are stopped at, in their order: all, or those that a filter lets through. */
  stops: readonly number[];
  /** The number to go on from. */
  from: number;
  speed: Speed;
  proportion: Proportion;
  onMove: (number: number) => void;
  onEnd: () => void;
}

/** Plays from one stop to the next until the last. @returns a function that stops it */
export function play({ events, stops, from, speed, proportion, onMove, onEnd }: Play): () => void {
  let next = stops.findIndex((stop) => stop > from);
  if (next === -1) next = stops.length;
  let here = from;
  let leftAt = Date.now();

  const waitFor = (stop: number) => {
    if (proportion === 'events' || here === 0) return EVENT_MS / speed;
    const between = (events[stop - 1]?.when ?? 0) - (events[here - 1]?.when ?? 0);
    return Math.min(MAX_WAIT_MS, (between / DAY_MS) * (EVENT_MS / speed));
  };
  const timer = setInterval(() => {
    const before = here;
    // At a high speed several events fall into one frame.
    for (let stop = stops[next]; stop !== undefined; stop = stops[next]) {
      const wait = waitFor(stop);
      if (Date.now() - leftAt < wait) break;
      leftAt += wait;
      here = stop;
      next += 1;
    }
    if (here !== before) onMove(here);
    if (next < stops.length) return;
    clearInterval(timer);
    onEnd();
  }, FRAME_MS);
  return () => clearInterval(timer);
}

/** The stop before (-1) or after (+1) a number, or further; the first or last one where there are no more. */
export function stopFrom(stops: readonly number[], number: number, steps: number): number {
  if (stops.length === 0) return number;
  const after = stops.findIndex((stop) => stop > number);
  const next = after === -1 ? stops.length : after;
  const isOne = stops[next - 1] === number;
  const target = steps > 0 ? next + steps - 1 : next + steps - (isOne ? 1 : 0);
  return stops[Math.min(stops.length - 1, Math.max(0, target))] ?? number;
}

/** A value that changes at most so often; the last one always comes. */
export function useThrottled<Value>(value: Value, milliseconds: number): Value {
  const [paced, setPaced] = useState(value);
  const changedAt = useRef(0);
  useEffect(() => {
    if (Object.is(value, paced)) return;
    const wait = Math.max(0, changedAt.current + milliseconds - Date.now());
    const timer = window.setTimeout(() => {
      changedAt.current = Date.now();
      setPaced(value);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [value, paced, milliseconds]);
  return paced;
}
