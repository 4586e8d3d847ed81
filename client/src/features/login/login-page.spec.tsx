import { act, screen, waitFor } from '@testing-library/react';
import { problem, refused, serverOf, show, userOf } from '../../../test-support/screen.js';
import { session } from '../../lib/session.js';
import { LoginPage } from './login-page.js';

const LOGIN = 'POST Account/login';
const shown = () => show([{ path: '/login', element: <LoginPage /> }], '/login');

async function logIn(person: ReturnType<typeof show>['person']) {
  await person.type(screen.getByLabelText('Username'), 'anna');
  await person.type(screen.getByLabelText('Password'), 'Secret1!');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('the login', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => act(() => session.end()));

  // spec 2.15, 3.1
  it('keeps the user and goes to the profile', async () => {
    const server = serverOf({ [LOGIN]: [200, userOf()] });
    const { person } = shown();
    await logIn(person);
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/profile');
    expect(server.asked(LOGIN)[0]?.body).toEqual({ username: 'anna', password: 'Secret1!' });
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({
      token: 'the-token',
      username: 'anna',
    });
  });

  it.each([
    ['Admin', '/admin/dashboard'],
    ['Auditor', '/audit'],
  ] as const)('leads an %s to where their day begins', async (role, path) => {
    serverOf({ [LOGIN]: [200, userOf(role)] });
    const { person } = shown();
    await logIn(person);
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(path);
  });

  // spec 5.12
  it('needs both fields', async () => {
    const server = serverOf({});
    const { person } = shown();
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Username is required')).toBeTruthy();
    expect(screen.getByText('Password is required.')).toBeTruthy();
    expect(server.asked(LOGIN)).toHaveLength(0);
  });

  it('offers the providers of the library, and says why one cannot be reached', async () => {
    const providers = [
      { key: 'school', name: 'School No. 7' },
      { key: 'town', name: 'Town' },
    ];
    const away = 'Town does not answer at the moment.';
    const server = serverOf({
      'GET Account/sign-on': [200, { providers, staffOnly: true }],
      'POST Account/sign-on/town': refused('SignOnUnavailable', away),
    });
    const { person } = shown();
    expect(await screen.findByText('Staff sign in here:')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Sign in with School No. 7' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Sign in with Town' }));
    expect(await screen.findByText(away)).toBeTruthy();
    expect(server.asked('POST Account/sign-on/town')[0]?.body).toEqual({});
  });

  it('checks a field when it is left, and from then on while it is typed in', async () => {
    serverOf({});
    const { person } = shown();
    await person.click(screen.getByLabelText('Username'));
    expect(screen.queryByText('Username is required')).toBeNull();
    await person.tab();
    expect(await screen.findByText('Username is required')).toBeTruthy();
    expect(screen.queryByText('Password is required.')).toBeNull();
    await person.type(screen.getByLabelText('Username'), 'a');
    await waitFor(() => expect(screen.queryByText('Username is required')).toBeNull());
  });

  it('shows the server’s messages under their fields', async () => {
    serverOf({ [LOGIN]: problem(400, 'ValidationFailed', 'Some fields.', { password: ['Too long.'] }) });
    const { person } = shown();
    await logIn(person);
    expect(await screen.findByText('Too long.')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  });

  // spec 8.6
  it('shows what the server said, or that it failed', async () => {
    const server = serverOf({ [LOGIN]: problem(401, 'WrongCredentials', 'Wrong username or password.') });
    const { person, address } = shown();
    await logIn(person);
    expect(await screen.findByText('Wrong username or password.')).toBeTruthy();
    server.answers[LOGIN] = null;
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await screen.findByText('Signing in failed. Please try again.')).toBeTruthy();
    expect(address()).toBe('/login');
  });

  // spec 2.15
  it('leads to a new password', () => {
    serverOf({});
    shown();
    expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe(
      '/forgot-password',
    );
  });
});
