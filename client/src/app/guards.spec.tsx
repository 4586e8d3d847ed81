import { act, screen, waitFor } from '@testing-library/react';
import type { RouteObject } from 'react-router-dom';
import { sees } from '../../test-support/on-screen.js';
import { show, userOf } from '../../test-support/screen.js';
import { answered, serverOf } from '../../test-support/server.js';
import { queryKeys } from '../domain/query-keys.js';
import { LoginPage } from '../features/login/login-page.js';
import { SecurityPage } from '../features/security/security-page.js';
import { session } from '../lib/session.js';
import { RequireUser } from './guards.js';
import { RequirePage } from './staff-routes.js';
import { NavigationBar } from './navigation-bar.js';

const LOGIN = 'POST Account/login';
const routes: RouteObject[] = [
  {
    path: '/admin/users',
    element: (
      <RequirePage>
        <NavigationBar />
        <p>the users</p>
      </RequirePage>
    ),
  },
  {
    path: '/profile',
    element: (
      <RequireUser>
        <p>the profile</p>
      </RequireUser>
    ),
  },
  {
    path: '/audit',
    element: (
      <RequirePage>
        <NavigationBar />
        <p>the audit</p>
      </RequirePage>
    ),
  },
  {
    path: '/profile/security',
    element: (
      <RequireUser>
        <SecurityPage />
      </RequireUser>
    ),
  },
  { path: '/login', element: <LoginPage /> },
];

async function logIn(person: ReturnType<typeof show>['person']) {
  await person.type(await screen.findByLabelText('Username'), 'anna');
  await person.type(screen.getByLabelText('Password'), 'Secret1!');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('the guards', () => {
  afterEach(() => act(() => session.end()));

  // spec 2.3, 6.2
  it('turn away from the admin area, with words, who is no admin', async () => {
    session.begin(userOf('Auditor'));
    serverOf({});
    const { address } = show(routes, '/admin/users');
    await sees('You cannot enter this area');
    expect(address()).toBe('/login');
    expect(screen.queryByText('the users')).toBeNull();
  });

  it('bring an admin back to the page that asked for the login, with its search', async () => {
    serverOf({ [LOGIN]: answered(userOf('Admin')) });
    const { person, address } = show(routes, '/admin/users?q=kow&page=2');
    await logIn(person);
    await sees('the users');
    expect(address()).toBe('/admin/users?q=kow&page=2');
  });

  it('do not bring who is no admin back to the admin area', async () => {
    serverOf({ [LOGIN]: answered(userOf()) });
    const { person } = show(routes, '/admin/users');
    await logIn(person);
    await sees('the profile');
  });

  it('let a reader in after the login, and say nothing of an area', async () => {
    serverOf({ [LOGIN]: answered(userOf()) });
    const { person } = show(routes, '/profile');
    await logIn(person);
    await sees('the profile');
    expect(screen.queryByText('You cannot enter this area')).toBeNull();
  });

  // spec 4.2
  it('close the admin area at once when the role is taken, and open nothing by a role that is none', async () => {
    session.begin(userOf('Admin'));
    serverOf({});
    const { address, client } = show(routes, '/admin/users');
    client.setQueryData(['User', { pageNumber: 1 }], { items: [], totalCount: 0 });
    client.setQueryData(['User', 'profile', {}], {});
    expect(await screen.findByRole('link', { name: 'Admin' })).toBeTruthy();
    act(() => session.changeRights(userOf('Auditor')));
    await waitFor(() => expect(address()).toBe('/login'));
    await sees('You cannot enter this area');
    expect(JSON.parse(localStorage.getItem('user') ?? '{}')).toMatchObject({
      token: 'the-token',
      roles: ['Reader', 'Auditor'],
    });
    // What only admins see is not kept for who comes back without the role.
    expect(client.getQueryData(['User', { pageNumber: 1 }])).toBeUndefined();
    expect(client.getQueryData(['User', 'profile', {}])).toBeDefined();
  });

  it.each(['Auditor', 'Admin'] as const)('let an %s into the audit, and show the way', async (role) => {
    session.begin(userOf(role));
    serverOf({});
    show(routes, '/audit');
    await sees('the audit');
    expect(screen.getByRole('link', { name: 'Audit' })).toBeTruthy();
  });

  it('turn a reader away from the audit with the same words, and do not bring them back there', async () => {
    session.begin(userOf());
    serverOf({ [LOGIN]: answered(userOf()) });
    const { person } = show(routes, '/audit');
    await sees('You cannot enter this area');
    await logIn(person);
    await sees('the profile');
  });

  describe('who must add a second factor first', () => {
    const FACTORS = 'GET Account/second-factor';
    const factors = { codeAppSince: null, passkeys: [], recoveryCodesLeft: 0, required: true };
    const lacking = { ...userOf('Admin'), mustAddSecondFactor: true };

    it.each(['/admin/users', '/audit', '/profile'])('is led from %s to where it is added', async (path) => {
      session.begin(lacking);
      const server = serverOf({ [FACTORS]: answered(factors) });
      const { address } = show(routes, path);
      await sees(/^Your role needs a second factor/);
      expect(address()).toBe('/profile/security');
      expect(screen.queryByText('You cannot enter this area')).toBeNull();
      expect(server.calls.map(({ call }) => call)).toEqual([FACTORS]);
    });

    it('comes there right after the login, without calls that are refused', async () => {
      const SIGN_ON = 'GET Account/sign-on';
      const server = serverOf({
        [SIGN_ON]: answered({ providers: [], staffOnly: false }),
        [LOGIN]: answered(lacking),
        [FACTORS]: answered(factors),
      });
      const { person, address } = show(routes, '/audit');
      await logIn(person);
      await sees(/^Your role needs a second factor/);
      expect(address()).toBe('/profile/security');
      const others = server.calls.map(({ call }) => call).filter((call) => call !== SIGN_ON);
      expect(others).toEqual([LOGIN, FACTORS]);
    });

    it('is led there too when the server says it later, and let in once it is added', async () => {
      session.begin(userOf('Admin'));
      serverOf({ [FACTORS]: answered(factors) });
      const { address, router } = show(routes, '/audit');
      await sees('the audit');
      act(() => session.changeRights(userOf(), true));
      await waitFor(() => expect(address()).toBe('/profile/security'));
      expect(screen.queryByText('You cannot enter this area')).toBeNull();
      act(() => session.changeRights(userOf('Admin'), false));
      await act(() => router.navigate('/audit'));
      await sees('the audit');
    });
  });

  it('forget what only auditors see when the role is taken', async () => {
    session.begin(userOf('Auditor'));
    serverOf({});
    const { client, address } = show(routes, '/audit');
    await sees('the audit');
    client.setQueryData([...queryKeys.audit, 'timeline', 'x'], {});
    act(() => session.changeRights(userOf()));
    await waitFor(() => expect(address()).toBe('/login'));
    expect(client.getQueryData([...queryKeys.audit, 'timeline', 'x'])).toBeUndefined();
  });
});
