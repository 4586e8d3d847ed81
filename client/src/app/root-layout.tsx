import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import * as m from '#words/messages.js';
import { useSiteRouter } from '../lib/router/router-provider.js';
import { useTrackNavigation } from '../lib/router/back-navigation.js';
import { useScrollRestoration } from '../lib/router/use-scroll-restoration.js';
import { useStore, createStore } from '../lib/store.js';
import { isStaffPage, NavigationBar } from './navigation-bar.js';
import { useIsFetching, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { whenIdle } from '../lib/when-idle.js';
import { useWaitingForPerson } from '../lib/waiting-for-person.js';
import styles from './request-indicator.module.css';

/** The footer comes later than the page: below what a phone shows first, it moves nothing and nobody waits for it. */
const TALL_ON_PHONES = 'to-560:min-h-[calc(100dvh-3.75rem)]';

export function RootLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useReportShown();
  useTakeOver();
  useScrollRestoration();
  useTrackNavigation();
  const firstPath = useRef(pathname);

  // After a change of page, reading goes on at its beginning.
  useEffect(() => {
    if (firstPath.current === pathname) return;
    firstPath.current = '';
    main.current?.focus({ preventScroll: true });
  }, [pathname]);

  const isMoving = useStore(useSiteRouter().isMoving);
  return (
    <>
      <a
        className="fixed top-2 left-2 z-70 py-2 px-4 rounded bg-accent text-on-accent [transform:translateY(-200%)] focus:[transform:none]"
        href="#main"
        onClick={(event) => {
          // The address after # is the page's; the link only moves the focus.
          event.preventDefault();
          const contents = main.current?.querySelectorAll<HTMLElement>('[data-content]');
          // Past what the page leads elsewhere by: its menu, its filters.
          ([...(contents ?? [])].at(-1) ?? main.current)?.focus();
        }}
      >
        {m.site_skip()}
      </a>
      <NavigationBar />
      <main
        ref={main}
        id="main"
        className={`flex-1 flex flex-col min-w-0 ${isStaffPage(pathname) ? '' : TALL_ON_PHONES}`}
        tabIndex={-1}
      >
        <RequestIndicator also={isMoving} />
        <Outlet />
      </main>
      <Footer />
    </>
  );
}

/** A page without anything around it. */
export function BareLayout() {
  useReportShown();
  useTakeOver();
  return <Outlet />;
}

const SiteFooter = lazy(async () => ({ default: (await import('./site-footer.js')).SiteFooter }));

/** After the page, and not under the work of staff. */
function Footer() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true)), []);
  const isOfStaff = isStaffPage(useLocation().pathname);
  return <Suspense fallback={null}>{isDue && !isOfStaff && <SiteFooter />}</Suspense>;
}

/** The key of the location that is on the screen; the router's own is ahead of it while a page is being drawn. */
const shown = createStore('');

/** What the server showed stays until the page has what it asks for. */
function useTakeOver(): void {
  const client = useQueryClient();
  // What a page asks for is not known here before it is drawn.
  useIsFetching();
  useEffect(() => {
    if (!client.isFetching()) document.getElementById('public')?.remove();
  });
}

/** A page that does not come (it broke) keeps nobody waiting for longer. */
const TIMEOUT_MS = 2000;

function useReportShown(): void {
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

/** Shorter than this nobody waits: what comes sooner shows nothing. */
const LONG_MS = 400;

/**
 * The specification's 'Loading...' while something that the person waits for is long on its way: a page, a list
 * that is not there yet, a command. Never for refreshing what is already on the screen, nor for what
 * tells itself how far it is, nor for what waits for the person.
 */
export function RequestIndicator({ also }: { also: boolean }) {
  const asked = useIsFetching({ predicate: (query) => query.state.data === undefined });
  const done = useIsMutating({ predicate: (command) => !command.meta?.showsProgress });
  const waiting = useWaitingForPerson();
  const long = useLong(asked + done > waiting || also);
  return (
    <div
      role="status"
      className="fixed top-0 right-0 bottom-auto left-0 z-65 flex justify-center pointer-events-none"
    >
      {long && (
        <>
          <span className={styles.line} aria-hidden="true" />
          <span className="inline-flex items-center gap-2 mt-17 py-1 px-4 border border-line rounded bg-surface text-ink-soft text-1 shadow-lift phone:mt-26">
            <span
              className="size-3.5 border-2 border-line border-t-accent-text rounded-[50%] [animation:turn_900ms_linear_infinite]"
              aria-hidden="true"
            />
            {m.site_loading()}
          </span>
        </>
      )}
    </div>
  );
}

/** Whether it has been busy for long, without a pause. */
function useLong(busy: boolean): boolean {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = window.setTimeout(() => setLong(true), LONG_MS);
    return () => {
      window.clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return long;
}
