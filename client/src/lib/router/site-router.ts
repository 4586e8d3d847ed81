import {
  matchRoutes,
  parsePath,
  type Location,
  type NavigateOptions,
  type NavigationType,
  type Navigator,
  type RouteObject,
  type To,
  type UNSAFE_createHashHistory,
} from 'react-router-dom';
import { createStore, type Store } from '../store.js';
import { loadPages } from './lazy-page.js';

type History = ReturnType<typeof UNSAFE_createHashHistory>;

/** Where the person is. */
export interface Place {
  location: Location;
  historyAction: NavigationType;
  /** Whether the code of its page has been asked for, with whatever success. */
  isLoaded: boolean;
  preventScrollReset: boolean;
}

/** Whether to ask before a place is left for another one. */
export type Blocker = (move: {
  currentLocation: Location;
  nextLocation: Pick<Location, 'pathname' | 'state'>;
}) => boolean;

export interface SiteRouter {
  readonly routes: RouteObject[];
  /** The newest place; what is drawn may lag behind it. */
  readonly state: Place;
  /** How links move. */
  readonly navigator: Navigator;
  /** Whether the code of the next page is on its way. */
  readonly isMoving: Store<boolean>;
  /** What was held back by a question, to be done if the answer is to leave. */
  readonly held: Store<(() => void) | null>;
  /** Goes there, or so many steps in the history. Resolves once it has, or something else came first. */
  navigate: (to: To | number, options?: NavigateOptions) => Promise<void>;
  /** @returns a function that ends it */
  onArrival: (listener: (place: Place) => void) => () => void;
  /** There is one at a time. @returns a function that takes it back */
  block: (blocker: Blocker) => () => void;
}

/**
 * Moves through the history as react-router's data router does, without its loaders, actions and fetchers, which are most of
 * it: the code of a page is loaded before its address is gone to, the newest wish wins, and a page can ask before it is left.
 */
export function createSiteRouter(history: History, routes: RouteObject[]): SiteRouter {
  const isMoving = createStore(false);
  const held = createStore<(() => void) | null>(null);
  const listeners = new Set<(place: Place) => void>();
  let blocker: Blocker | null = null;
  let moves = 0;
  let state = placeOf(false);

  function placeOf(isLoaded: boolean, preventScrollReset = false): Place {
    return { location: history.location, historyAction: history.action, isLoaded, preventScrollReset };
  }

  const branchTo = (pathname: string) => (matchRoutes(routes, pathname) ?? []).map(({ route }) => route);

  /** Loads what the page of an address is missing, the routes that lead to it first; undefined where nothing is. */
  function load(pathname: string): Promise<unknown> | undefined {
    const branch = branchTo(pathname);
    return loadPages(branch)?.then(() => {
      const longer = branchTo(pathname);
      return longer.every((route) => branch.includes(route)) ? undefined : loadPages(longer);
    });
  }

  /** @param enter puts the place into the history, where the browser has not done so */
  async function move(pathname: string, enter?: () => void, preventScrollReset = false): Promise<void> {
    const mine = (moves += 1);
    const coming = load(pathname);
    isMoving.set(coming !== undefined);
    // Not awaited where nothing is missing: then the place is reached at once.
    if (coming) await coming;
    if (mine !== moves) return;
    enter?.();
    isMoving.set(false);
    held.set(null);
    state = placeOf(true, preventScrollReset);
    for (const listener of [...listeners]) listener(state);
  }

  const isHeld = (nextLocation: Pick<Location, 'pathname' | 'state'>) =>
    blocker?.({ currentLocation: state.location, nextLocation }) ?? false;

  async function enter(to: To, itsState: unknown, options: NavigateOptions): Promise<void> {
    const { pathname = state.location.pathname } = typeof to === 'string' ? parsePath(to) : to;
    const leave = () =>
      move(
        pathname,
        () => (options.replace ? history.replace(to, itsState) : history.push(to, itsState)),
        options.preventScrollReset,
      );
    if (isHeld({ pathname, state: itsState })) held.set(() => void leave());
    else await leave();
  }

  /** The step back to where somebody is asked, which is no move; and the step that they then confirmed. */
  let isReturning = false;
  let isConfirmed = false;
  history.listen(({ location, delta }) => {
    if (isReturning) {
      isReturning = false;
      return;
    }
    // An address that was typed is no step that could be taken back.
    if (!isConfirmed && delta && isHeld(location)) {
      isReturning = true;
      history.go(-delta);
      held.set(() => {
        isConfirmed = true;
        history.go(delta);
      });
      return;
    }
    isConfirmed = false;
    void move(location.pathname);
  });
  void move(state.location.pathname);

  return {
    routes,
    get state() {
      return state;
    },
    navigator: {
      createHref: (to) => history.createHref(to),
      createURL: (to) => history.createURL(to),
      encodeLocation: (to) => history.encodeLocation(to),
      go: (steps) => history.go(steps),
      push: (to, itsState, options) => void enter(to, itsState, { ...options, replace: false }),
      replace: (to, itsState, options) => void enter(to, itsState, { ...options, replace: true }),
    },
    isMoving,
    held,
    async navigate(to, options = {}) {
      if (typeof to === 'number') history.go(to);
      else await enter(to, options.state, options);
    },
    onArrival(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    block(next) {
      blocker = next;
      return () => {
        if (blocker === next) blocker = null;
      };
    },
  };
}
