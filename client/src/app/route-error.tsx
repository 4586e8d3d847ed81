import { Component, useEffect, useState, type ReactNode, type ComponentType } from 'react';
import { Navigate, Outlet, useLocation, type Location, type RouteObject } from 'react-router-dom';
import { Button } from '../components/form/button.js';
import { EmptyState } from '../components/list/placeholders.js';
import { readForWindow, writeForWindow } from '../lib/store.js';
import * as m from '#words/messages.js';
import { lazyPage } from '../lib/router/lazy-page.js';

/** What browsers, and the loader of styles, say of a part of the page that could not be fetched. */
const NOT_FETCHED = /dynamically imported module|importing a module script|unable to preload/i;
const RELOADED_AT = 'lectern.reloaded-at';
/** A page that fails again within so many milliseconds of a reload is not loaded anew by itself once more. */
const RELOADS_APART = 20_000;
/** Milliseconds between two questions whether the library answers. */
const ASKS_EVERY = 2_000;

/** Pages of which one may break, while what is around them stays. */
export function RouteOutlet() {
  return (
    <RouteBoundary>
      <Outlet />
    </RouteBoundary>
  );
}

/** Shows that its content broke, until the person is somewhere else. */
export function RouteBoundary({ children }: { children: ReactNode }) {
  const location = useLocation();
  return <Boundary location={location}>{children}</Boundary>;
}

interface BoundaryProps {
  location: Location;
  children: ReactNode;
}

interface BoundaryState {
  location: Location;
  failure: { error: unknown } | null;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { location: this.props.location, failure: null };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(
    { location }: BoundaryProps,
    before: BoundaryState,
  ): Partial<BoundaryState> | null {
    return location === before.location ? null : { location, failure: null };
  }

  override render() {
    const { failure } = this.state;
    return failure ? <RouteError error={failure.error} /> : this.props.children;
  }
}

/**
 * A page that broke, or whose part could not be fetched: because the library was away, or because a newer version has
 * been installed. Then it appears by itself once the library answers.
 */
function RouteError({ error }: { error: unknown }) {
  useEffect(() => {
    window.reportError?.(error);
  }, [error]);
  const [comesByItself] = useState(() => wasNotFetched(error) && mayReload());
  useEffect(() => (comesByItself ? reloadWhenReachable() : undefined), [comesByItself]);

  return (
    <div role="alert">
      <EmptyState
        page
        title={comesByItself ? m.site_unreachable() : m.site_page_failed()}
        action={<Button onClick={() => window.location.reload()}>{m.site_load_again()}</Button>}
      >
        {comesByItself ? m.site_unreachable_lead() : m.site_page_failed_lead()}
      </EmptyState>
    </div>
  );
}

const wasNotFetched = (error: unknown) => error instanceof Error && NOT_FETCHED.test(error.message);

const mayReload = () => Date.now() - Number(readForWindow(RELOADED_AT) ?? 0) > RELOADS_APART;

/** Asks until there is an answer, then reloads: a browser may remember a part that it could not fetch until then. */
function reloadWhenReachable(): () => void {
  let isLeft = false;
  const timer = window.setInterval(ask, ASKS_EVERY);
  const leave = () => {
    isLeft = true;
    window.clearInterval(timer);
  };
  function ask(): void {
    fetch('/healthz', { cache: 'no-store' }).then(
      ({ ok }) => {
        if (!ok || isLeft) return;
        leave();
        writeForWindow(RELOADED_AT, String(Date.now()));
        window.location.reload();
      },
      () => undefined,
    );
  }
  ask();
  return leave;
}

/** A page by its name in its file, loaded when it is opened; without a path, the index of its parent. */
export function page<Name extends string>(
  path: string | undefined,
  load: () => Promise<Record<NoInfer<Name>, ComponentType>>,
  name: Name,
): RouteObject {
  const drawn = lazyPage(async () => (await load())[name]);
  return path === undefined ? { index: true, ...drawn } : { path, ...drawn };
}

/** What is drawn for an address that is none of an area's (specification, section 2: as found it leads home). */
export const unknownPage: RouteObject =
  m.common_unknown_leads_to() === ''
    ? page('*', () => import('../features/failures/not-found-page.js'), 'NotFoundPage')
    : { path: '*', element: <Navigate to={m.common_unknown_leads_to()} replace /> };
