import { useEffect, type MouseEvent } from 'react';
import { useLocation, useNavigate, type NavigationType } from 'react-router-dom';
import { useSiteRouter } from './router-provider.js';

const PUSH = 'PUSH' as NavigationType;

/** The address that each place of the history was come to from, by its key. */
const cameFrom = new Map<string, string>();
/** How each page was last shown: its address with search, page and all. */
const lastShown = new Map<string, string>();

/** Remembers the way through the site, for `useBackNavigation`. */
export function useTrackNavigation(): void {
  const router = useSiteRouter();
  useEffect(() => {
    let { pathname, search } = router.state.location;
    lastShown.set(pathname, pathname + search);
    return router.onArrival(({ location, historyAction }) => {
      if (historyAction === PUSH) cameFrom.set(location.key, pathname + search);
      ({ pathname, search } = location);
      lastShown.set(pathname, pathname + search);
    });
  }, [router]);
}

/**
 * Leads back to a page as it was last shown. Who has just come from there goes back in the history, to where they had scrolled.
 * @param pathname of the page, for instance `/catalog`
 * @returns the props of a link
 */
export function useBackNavigation(pathname: string): { to: string; onClick: (event: MouseEvent) => void } {
  const { key } = useLocation();
  const navigate = useNavigate();
  const before = cameFrom.get(key);
  const isBefore = before !== undefined && before.split('?')[0] === pathname;
  return {
    to: isBefore ? before : (lastShown.get(pathname) ?? pathname),
    onClick: (event) => {
      const opensElsewhere =
        event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (!isBefore || opensElsewhere) return;
      event.preventDefault();
      void navigate(-1);
    },
  };
}
