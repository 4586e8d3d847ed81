import { useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSiteRouter } from '../lib/router/router-provider.js';
import { useTrackNavigation } from '../lib/router/back-navigation.js';
import { useScrollRestoration } from '../lib/router/use-scroll-restoration.js';
import { useStore } from '../lib/store.js';
import { NavigationBar } from './navigation-bar.js';
import { RequestIndicator } from './request-indicator.js';
import { useReportShown } from './shown-location.js';

export function RootLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useReportShown();
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
          main.current?.focus();
        }}
      >
        Skip to content
      </a>
      <NavigationBar />
      <main ref={main} id="main" className="flex-1 flex flex-col min-w-0" tabIndex={-1}>
        <RequestIndicator also={isMoving} />
        <Outlet />
      </main>
    </>
  );
}
