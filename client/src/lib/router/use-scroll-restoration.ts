import { useEffect, useLayoutEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { readForWindow, writeForWindow } from '../browser-storage.js';
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
    if (left !== undefined) window.scrollTo(0, left);
    else if (!router.state.preventScrollReset) window.scrollTo(0, 0);
  }, [location, router]);
}
