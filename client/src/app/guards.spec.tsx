import { act, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import { sees } from '../../test-support/on-screen.js';
import { pasteInto } from '../../test-support/paste-into.js';
import { show, userOf } from '../../test-support/screen.js';
import { answered, serverOf, type Answers, type Answer } from '../../test-support/server.js';
import { queryKeys } from '../domain/query-keys.js';
import { LoginPage } from '../features/login/login-page.js';
import { SecurityPage } from '../features/security/security-page.js';
import { session } from '../lib/session.js';
import { UnsavedChanges } from '../components/dialog/unsaved-changes.js';
import { cart } from '../domain/cart.js';
import { lazyPage } from '../lib/router/lazy-page.js';
import { RequireUser } from './guards.js';
import { RequirePage } from './staff-routes.js';
import { NavigationBar } from './navigation-bar.js';
import { RootLayout } from './root-layout.js';

const LOGIN = 'POST Account/login';
const forStaff = (path: string, words: string) => ({
  path,
  element: (
    <RequirePage>
      <NavigationBar />
      <p>{words}</p>
    </RequirePage>
  ),
});
const forReaders = (path: string, page: ReactNode) => ({ path, element: <RequireUser>{page}</RequireUser> });
const routes: RouteObject[] = [
  forStaff('/admin/users', 'the users'),
  forStaff('/audit', 'the audit'),
  forReaders('/profile', <p>the profile</p>),
  forReaders('/profile/security', <SecurityPage />),
  { path: '/login', element: <LoginPage /> },
];
const NO_ENTRY = 'You cannot enter this area';

/** The site at an address, for whoever is signed in, or for a guest. */
function shown(at: string, user: SignedInUser | null = null, answers: Answers = {}) {
  if (user) session.begin(user);
  const server = serverOf(answers);
  const page = show(routes, at);
  const logIn = async () => {
    await pasteInto(page.person, await screen.findByLabelText('Username'), 'anna');
    await pasteInto(page.person, screen.getByLabelText('Password'), 'Secret1!');
    await page.press('Sign in');
  };
  return { server, ...page, logIn };
}

describe('the guards', () => {
  afterEach(() => act(() => session.end()));

  // spec 2.3, 6.2
  it('turn away from the admin area, with words, who is no admin', async () => {
    const { address } = shown('/admin/users', userOf('Auditor'));
    await sees(NO_ENTRY);
    expect(address()).toBe('/login');
    expect(screen.queryByText('the users')).toBeNull();
  });

  it('bring an admin back to the page that asked for the login, with its search', async () => {
    const { logIn, address } = shown('/admin/users?q=kow&page=2', null, {
      [LOGIN]: answered(userOf('Admin')),
    });
    await logIn();
    await sees('the users');
    expect(address()).toBe('/admin/users?q=kow&page=2');
  });

  it('do not bring who is no admin back to the admin area', async () => {
    const { logIn } = shown('/admin/users', null, { [LOGIN]: answered(userOf()) });
    await logIn();
    await sees('the profile');
  });

  it('turn a reader away from the audit with the same words, and do not bring them back there', async () => {
    const { logIn } = shown('/audit', userOf(), { [LOGIN]: answered(userOf()) });
    await sees(NO_ENTRY);
    await logIn();
    await sees('the profile');
  });

  it.each(['Auditor', 'Admin'] as const)('let an %s into the audit, and show the way', async (role) => {
    shown('/audit', userOf(role));
    await sees('the audit');
    expect(screen.getByRole('link', { name: 'Audit' })).toBeTruthy();
  });

  // spec 4.2
  it('close the admin area at once when the role is taken, and open nothing by a role that is none', async () => {
    const { address, client } = shown('/admin/users', userOf('Admin'));
    client.setQueryData(['User', { pageNumber: 1 }], { items: [], totalCount: 0 });
    client.setQueryData(['User', 'profile', {}], {});
    expect(await screen.findByRole('link', { name: 'Admin' })).toBeTruthy();
    act(() => session.changeRights(userOf('Auditor')));
    await waitFor(() => expect(address()).toBe('/login'));
    await sees(NO_ENTRY);
    const kept = { token: 'the-token', roles: ['Reader', 'Auditor'] };
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject(kept);
    // What only admins see is not kept for who comes back without the role.
    expect(client.getQueryData(['User', { pageNumber: 1 }])).toBeUndefined();
    expect(client.getQueryData(['User', 'profile', {}])).toBeDefined();
  });

  it('forget what only auditors see when the role is taken', async () => {
    const { client, address } = shown('/audit', userOf('Auditor'));
    await sees('the audit');
    client.setQueryData([...queryKeys.audit, 'timeline', 'x'], {});
    act(() => session.changeRights(userOf()));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(client.getQueryData([...queryKeys.audit, 'timeline', 'x'])).toBeUndefined();
  });

  describe('who must add a second factor first', () => {
    const FACTORS = 'GET Account/second-factor';
    const factors = answered({ codeAppSince: null, passkeys: [], recoveryCodesLeft: 0, required: true });
    const lacking = { ...userOf('Admin'), mustAddSecondFactor: true };
    const isNeeded = /^Your role needs a second factor/;

    it.each(['/admin/users', '/audit', '/profile'])('is led from %s to where it is added', async (path) => {
      const { server, address } = shown(path, lacking, { [FACTORS]: factors });
      await sees(isNeeded);
      expect(address()).toBe('/profile/security');
      expect(screen.queryByText(NO_ENTRY)).toBeNull();
      expect(server.calls.map(({ call }) => call)).toEqual([FACTORS]);
    });

    it('comes there right after the login, without calls that are refused', async () => {
      const SIGN_ON = 'GET Account/sign-on';
      const { server, logIn, address } = shown('/audit', null, {
        [SIGN_ON]: answered({ providers: [], staffOnly: false }),
        [LOGIN]: answered(lacking),
        [FACTORS]: factors,
      });
      await logIn();
      await sees(isNeeded);
      expect(address()).toBe('/profile/security');
      const others = server.calls.map(({ call }) => call).filter((call) => call !== SIGN_ON);
      expect(others).toEqual([LOGIN, FACTORS]);
    });

    it('is led there too when the server says it later, and let in once it is added', async () => {
      const { address, router } = shown('/audit', userOf('Admin'), { [FACTORS]: factors });
      await sees('the audit');
      act(() => session.changeRights(userOf(), true));
      await waitFor(() => expect(address()).toBe('/profile/security'));
      expect(screen.queryByText(NO_ENTRY)).toBeNull();
      act(() => session.changeRights(userOf('Admin'), false));
      await act(() => router.navigate('/audit'));
      await sees('the audit');
    });
  });
});

/** Comes over the network, as every page of the product does the first time. */
const home = lazyPage(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return () => <p>the home page</p>;
});
const LOGOUT = 'POST Account/logout';
const pages = (unsaved: boolean) => [
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
  const shown = show(pages(unsaved), '/profile');
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
