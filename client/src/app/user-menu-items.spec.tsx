import { act, waitFor } from '@testing-library/react';
import { sees, screen } from '../../test-support/on-screen.js';
import { show, userOf } from '../../test-support/screen.js';
import { answered, serverOf, type Answer } from '../../test-support/server.js';
import { UnsavedChanges } from '../components/dialog/unsaved-changes.js';
import { cart } from '../domain/cart.js';
import { lazyPage } from '../lib/router/lazy-page.js';
import { session } from '../lib/session.js';
import { RequireUser } from './guards.js';
import { RootLayout } from './root-layout.js';

/** Comes over the network, as every page of the product does the first time. */
const home = lazyPage(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return () => <p>the home page</p>;
});
const LOGOUT = 'POST Account/logout';
const routes = (unsaved: boolean) => [
  {
    element: <RootLayout />,
    children: [
      { path: '/', ...home },
      {
        path: '/profile',
        element: (
          <RequireUser>
            <p>the profile</p>
            <UnsavedChanges unsaved={unsaved} />
          </RequireUser>
        ),
      },
    ],
  },
];

async function logOut(unsaved = false, answer: Answer = answered({ message: 'You are signed out.' })) {
  const server = serverOf({ [LOGOUT]: answer });
  session.begin(userOf());
  cart.add({ id: 7, title: 'Dune', photo: null, authors: [], genres: [] });
  const shown = show(routes(unsaved), '/profile');
  // The button that stands there until the menu has come is taken away: pressed in that moment, it would open nothing.
  const menu = await waitFor(() => {
    const button = screen.getByRole('button', { name: 'Welcome Anna' });
    expect(button.dataset['state']).toBe('closed');
    return button;
  });
  await shown.person.click(menu);
  await shown.person.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
  return { ...shown, server };
}

describe('logging out', () => {
  beforeAll(() => {
    window.scrollTo = () => undefined;
  });
  afterEach(() => act(() => session.end()));

  it('goes to the home page from a page of one’s own, and not to the sign-in page', async () => {
    const { address, server } = await logOut();
    await sees('the home page');
    await waitFor(() => expect(session.current()).toBeNull());
    expect(server.asked(LOGOUT).map(({ headers }) => headers.Authorization)).toEqual(['Bearer the-token']);
    expect(address()).toBe('/');
    expect(localStorage.getItem('user')).toBeNull();
    expect(cart.books()).toHaveLength(0);
    expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
  });

  it('says so where the server could not be told, and logs out here', async () => {
    await logOut(false, null);
    await sees(/the library could not be reached/);
    expect(session.current()).toBeNull();
  });

  it('is put off by who stays with unsaved changes, also for later', async () => {
    const { address, press, router } = await logOut(true);
    await press('Stay');
    expect(address()).toBe('/profile');
    expect(session.current()).not.toBeNull();
    await act(() => router.navigate('/'));
    await press('Leave');
    await sees('the home page');
    expect(session.current()).not.toBeNull();
  });

  it('follows when the changes are given up', async () => {
    const { address, press } = await logOut(true);
    await press('Leave');
    await waitFor(() => expect(session.current()).toBeNull());
    expect(address()).toBe('/');
  });
});
