import { useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { readForWindow, writeForWindow } from '../store.js';
import { useSiteRouter } from './router-provider.js';

const KEPT_AS = 'lectern.scroll-positions';

/** How far down each place of the history was left, by its key. */
type Positions = Record<string, number>;

function restored(): Positions {
  try {
    return JSON.parse(readForWindow(KEPT_AS) ?? '{}') as Positions;
  } catch {
    // Not ours.
    return {};
  }
}

const positions = restored();

/** Whoever scrolls, or presses a key, wants to be where they go. */
const OWN_WAYS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/**
 * Scrolls there, and goes on trying while the page grows towards it: what stands on it may have to be asked for anew.
 * @returns a function that ends it
 */
function scrollDownTo(top: number): () => void {
  const end = () => {
    observer.disconnect();
    for (const way of OWN_WAYS) window.removeEventListener(way, end);
  };
  const scroll = () => {
    window.scrollTo(0, top);
    // Some browsers round.
    if (window.scrollY >= top - 1) end();
  };
  const observer = new ResizeObserver(scroll);
  for (const way of OWN_WAYS) window.addEventListener(way, end, { passive: true });
  observer.observe(document.body);
  scroll();
  return end;
}

/** A new page is shown from its top, one that is gone back to, or loaded again, where it was left. */
export function useScrollRestoration(): void {
  const router = useSiteRouter();
  const location = useLocation();

  useEffect(() => {
    const keep = () => {
      positions[router.state.location.key] = window.scrollY;
      writeForWindow(KEPT_AS, JSON.stringify(positions));
      // The browser knows better where a page was that it keeps alive or loads again.
      window.history.scrollRestoration = 'auto';
    };
    window.history.scrollRestoration = 'manual';
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      window.history.scrollRestoration = 'auto';
    };
  }, [router]);

  // Before the next place is drawn.
  useEffect(() => {
    let { key } = router.state.location;
    return router.onArrival((next) => {
      positions[key] = window.scrollY;
      key = next.location.key;
    });
  }, [router]);

  useLayoutEffect(() => {
    const left = positions[location.key];
    if (left !== undefined) return scrollDownTo(left);
    if (!router.state.preventScrollReset) window.scrollTo(0, 0);
    return undefined;
  }, [location, router]);
}
