import type { BrowserPage } from '../test-support/browser-page.js';

/** A screen of the site: its route, and what shows that it has come. */
export interface Screen {
  name: string;
  route: string;
  shows: string;
  /** Where the way to the screen goes over one whose address nobody knows beforehand: what to click at the route. */
  over?: string;
}

/** Goes to a screen and waits until it has come. */
export async function reach(page: BrowserPage, { route, over, shows }: Screen): Promise<void> {
  await page.goTo(route);
  if (over !== undefined) {
    await page.has(over);
    await page.clickOn(over);
  }
  await page.has(shows);
}

export type Visitor = 'guest' | 'reader' | 'admin' | 'auditor';

/** Every screen (specification, section 2), by who looks at it. Screens with an id need what `at-the-desk.ts` leaves. */
export const SCREENS: Record<Visitor, readonly Screen[]> = {
  guest: [
    { name: 'home', route: '/', shows: 'main h1' },
    { name: 'catalogue', route: '/catalog', shows: 'section[aria-busy="false"] article' },
    { name: 'catalogue-empty', route: '/catalog?q=xyzzyplugh', shows: 'main h2' },
    { name: 'book', route: '/book/1', shows: '[data-copies-available]' },
    { name: 'login', route: '/login', shows: 'main form' },
    { name: 'register', route: '/register', shows: 'main form' },
    { name: 'email-notification', route: '/email-notification?username=maria', shows: 'main button' },
    { name: 'confirm-email', route: '/confirm-email', shows: '[role="alert"]' },
    { name: 'forgot-password', route: '/forgot-password', shows: 'main form' },
    {
      name: 'reset-password',
      route: '/reset-password?email=maria%40example.org&token=x',
      shows: 'main form',
    },
    { name: 'payment-fail', route: '/payment/fail', shows: '[role="alert"]' },
    { name: 'payment-success', route: '/payment/success', shows: 'main h1' },
    { name: 'not-found', route: '/not-found', shows: 'main h1' },
    { name: 'server-error', route: '/server-error', shows: 'main [role="alert"]' },
  ],
  reader: [
    { name: 'cart', route: '/cart', shows: 'main h1' },
    { name: 'profile', route: '/profile', shows: 'tr[data-borrow-id]' },
  ],
  admin: [
    { name: 'dashboard', route: '/admin/dashboard', shows: '[data-counter] [data-value]' },
    { name: 'queue', route: '/admin/borrows', shows: 'tr[data-borrow-id]' },
    { name: 'users', route: '/admin/users', shows: '[data-user]' },
    { name: 'reports', route: '/admin/raports', shows: 'main article' },
  ],
  auditor: [
    { name: 'audit', route: '/audit', shows: '[data-reader="reader"]' },
    {
      name: 'audit-replay',
      route: '/audit?q=kaczmarek',
      over: '[data-reader="reader"]',
      shows: '[data-revision] [data-borrow-id]',
    },
  ],
};
