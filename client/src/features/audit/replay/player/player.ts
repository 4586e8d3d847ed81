import type { HistoryEvent } from '../history/history.js';
import type { Proportion } from '../chart/scale.js';

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
