import { act, screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { showPage, userOf } from '../../../test-support/screen.js';
import { answered, refused, type Answer, type Answers } from '../../../test-support/server.js';
import { session } from '../../lib/session.js';
import { LoginPage } from './login-page.js';

const LOGIN = 'POST Account/login';
const shown = (answers: Answers = {}) => showPage(<LoginPage />, '/login', answers);
const elsewhere = async () => (await screen.findByTestId('elsewhere')).textContent;

/** Signs in, where the server answers so. */
async function logIn(answer: Answer) {
  const page = shown({ [LOGIN]: answer });
  await pasteInto(page.person, screen.getByLabelText('Username'), 'anna');
  await pasteInto(page.person, screen.getByLabelText('Password'), 'Secret1!');
  await page.press('Sign in');
  return page;
}

describe('the login', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => act(() => session.end()));

  // spec 2.15, 3.1
  it('keeps the user and goes to the profile', async () => {
    const { server } = await logIn(answered(userOf()));
    expect(await elsewhere()).toBe('/profile');
    expect(server.asked(LOGIN)[0]?.body).toEqual({ username: 'anna', password: 'Secret1!' });
    const kept = { token: 'the-token', username: 'anna' };
    expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject(kept);
  });

  it.each([
    ['Admin', '/admin/dashboard'],
    ['Auditor', '/audit'],
  ] as const)('leads an %s to where their day begins', async (role, path) => {
    await logIn(answered(userOf(role)));
    expect(await elsewhere()).toBe(path);
  });

  // spec 2.15, 5.12
  it('needs both fields, checks each when it is left, and leads to a new password', async () => {
    const { server, person, press } = shown();
    const forgotten = screen.getByRole('link', { name: 'Forgot password?' });
    expect(forgotten.getAttribute('href')).toBe('/forgot-password');
    await person.click(screen.getByLabelText('Username'));
    expect(screen.queryByText('Username is required')).toBeNull();
    await person.tab();
    await sees('Username is required');
    expect(screen.queryByText('Password is required.')).toBeNull();
    await press('Sign in');
    await sees('Username is required', 'Password is required.');
    // From then on while it is typed in.
    await person.type(screen.getByLabelText('Username'), 'a');
    await waitFor(() => expect(screen.queryByText('Username is required')).toBeNull());
    expect(server.asked(LOGIN)).toHaveLength(0);
  });

  it('offers the providers of the library, and says why one cannot be reached', async () => {
    const providers = [
      { key: 'school', name: 'School No. 7' },
      { key: 'town', name: 'Town' },
    ];
    const away = 'Town does not answer at the moment.';
    const { server, press } = shown({
      'GET Account/sign-on': answered({ providers, staffOnly: true }),
      'POST Account/sign-on/town': refused('SignOnUnavailable', away),
    });
    await sees('Staff sign in here:');
    expect(screen.getByRole('button', { name: 'Sign in with School No. 7' })).toBeTruthy();
    await press('Sign in with Town');
    await sees(away);
    expect(server.asked('POST Account/sign-on/town')[0]?.body).toEqual({});
  });

  // spec 8.6
  it('shows what the server said, under its field where it is of one, or that it failed', async () => {
    const { server, press, address } = await logIn(
      refused('WrongCredentials', 'Wrong username or password.'),
    );
    await sees('Wrong username or password.');
    server.answers[LOGIN] = refused('ValidationFailed', 'Some fields.', { password: ['Too long.'] });
    await press('Sign in');
    await sees('Too long.');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    server.answers[LOGIN] = null;
    await press('Sign in');
    await sees('Signing in failed. Please try again.');
    expect(address()).toBe('/login');
  });
});
