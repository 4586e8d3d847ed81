import { act, screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
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
    const server = serverOf({ [LOGIN]: answered(userOf()) });
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
    serverOf({ [LOGIN]: answered(userOf(role)) });
    const { person } = shown();
    await logIn(person);
    expect((await screen.findByTestId('elsewhere')).textContent).toBe(path);
  });

  // spec 5.12
  it('needs both fields', async () => {
    const server = serverOf({});
    const { press } = shown();
    await press('Sign in');
    await sees('Username is required', 'Password is required.');
    expect(server.asked(LOGIN)).toHaveLength(0);
  });

  it('offers the providers of the library, and says why one cannot be reached', async () => {
    const providers = [
      { key: 'school', name: 'School No. 7' },
      { key: 'town', name: 'Town' },
    ];
    const away = 'Town does not answer at the moment.';
    const server = serverOf({
      'GET Account/sign-on': answered({ providers, staffOnly: true }),
      'POST Account/sign-on/town': refused('SignOnUnavailable', away),
    });
    const { press } = shown();
    await sees('Staff sign in here:');
    expect(screen.getByRole('button', { name: 'Sign in with School No. 7' })).toBeTruthy();
    await press('Sign in with Town');
    await sees(away);
    expect(server.asked('POST Account/sign-on/town')[0]?.body).toEqual({});
  });

  it('checks a field when it is left, and from then on while it is typed in', async () => {
    serverOf({});
    const { person } = shown();
    await person.click(screen.getByLabelText('Username'));
    expect(screen.queryByText('Username is required')).toBeNull();
    await person.tab();
    await sees('Username is required');
    expect(screen.queryByText('Password is required.')).toBeNull();
    await person.type(screen.getByLabelText('Username'), 'a');
    await waitFor(() => expect(screen.queryByText('Username is required')).toBeNull());
  });

  it('shows the server’s messages under their fields', async () => {
    serverOf({ [LOGIN]: refused('ValidationFailed', 'Some fields.', { password: ['Too long.'] }) });
    const { person } = shown();
    await logIn(person);
    await sees('Too long.');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
  });

  // spec 8.6
  it('shows what the server said, or that it failed', async () => {
    const server = serverOf({ [LOGIN]: refused('WrongCredentials', 'Wrong username or password.') });
    const { person, press, address } = shown();
    await logIn(person);
    await sees('Wrong username or password.');
    server.answers[LOGIN] = null;
    await press('Sign in');
    await sees('Signing in failed. Please try again.');
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
