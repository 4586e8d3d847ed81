import { createContext, startTransition, useContext, useLayoutEffect, useState, type ReactNode } from 'react';
import { Router, useRoutes, type RouteObject } from 'react-router-dom';
import type { Place, SiteRouter } from './site-router.js';

const SiteRouterContext = createContext<SiteRouter | null>(null);

interface RouterProviderProps {
  router: SiteRouter;
  /** Shown until the first page is there. */
  fallback?: ReactNode;
}

/** Draws the page of the router's place. */
export function RouterProvider({ router, fallback = null }: RouterProviderProps) {
  const [place, setPlace] = useState(router.state);
  useLayoutEffect(() => {
    const follow = (next: Place) => startTransition(() => setPlace(next));
    // It may have moved before anybody listened.
    follow(router.state);
    return router.onArrival(follow);
  }, [router]);

  if (!place.isLoaded) return fallback;
  return (
    <SiteRouterContext value={router}>
      <Router navigator={router.navigator} location={place.location} navigationType={place.historyAction}>
        <Pages routes={router.routes} />
      </Router>
    </SiteRouterContext>
  );
}

function Pages({ routes }: { routes: RouteObject[] }) {
  return useRoutes(routes);
}

export function useSiteRouter(): SiteRouter {
  const router = useContext(SiteRouterContext);
  if (!router) throw new Error('There is no site router around this component.');
  return router;
}
