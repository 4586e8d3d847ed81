import { UNSAFE_createMemoryHistory, type InitialEntry, type RouteObject } from 'react-router-dom';
import { createSiteRouter, type SiteRouter } from '../src/lib/router/site-router.js';

/** The site's router with a history of its own, in place of the browser's. */
export function createMemoryRouter(
  routes: RouteObject[],
  { initialEntries = ['/'] }: { initialEntries?: InitialEntry[] } = {},
): SiteRouter {
  return createSiteRouter(UNSAFE_createMemoryHistory({ initialEntries }), routes);
}
