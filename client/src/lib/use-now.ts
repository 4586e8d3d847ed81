import { useSyncExternalStore } from 'react';

let now = Date.now();
let timer: number | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= window.setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.clearInterval(timer);
    timer = undefined;
  };
}

const never = () => () => undefined;

/** The time, to the second; stands still where nothing needs it to move. */
export function useNow(moving: boolean): number {
  return useSyncExternalStore(moving ? subscribe : never, () => now);
}

const QUARTER = 15 * 60_000;

/** When the quarter of an hour began that it is: enough to know the day, which begins with one in every time zone. */
export function useQuarterHour(): number {
  return useSyncExternalStore(subscribe, () => now - (now % QUARTER));
}
