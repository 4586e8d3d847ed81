import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { createStore } from '../lib/store.js';

/** The key of the location that is on the screen; the router's own is ahead of it while a page is being drawn. */
const shown = createStore('');

/** A page that does not come (it broke) keeps nobody waiting for longer. */
const TIMEOUT_MS = 2000;

export function useReportShown(): void {
  const { key } = useLocation();
  useEffect(() => shown.set(key), [key]);
}

/** Waits until the location is on the screen, and what was there before is gone. */
export function whenShown(key: string): Promise<void> {
  if (shown.get() === key) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, TIMEOUT_MS);
    const stop = shown.subscribe(() => shown.get() === key && done());
  });
}
