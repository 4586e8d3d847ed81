import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { SessionView } from '#contracts/accounts/account-calls.js';
import { sees, openQuestion } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { asReader, showPage, userOf } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { readerOf } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { SecurityPage } from './security-page.js';

const HERE: SessionView = {
  ...{ id: '6f0f4f3e-0000-4000-8000-000000000001', device: 'Firefox on Windows', current: true },
  ...{ network: '203.0.113.x', created: '2026-11-20T08:00:00.000Z', lastUsed: new Date().toISOString() },
  expires: '2026-11-20T16:00:00.000Z',
};
const PHONE: SessionView = {
  ...{ ...HERE, id: '6f0f4f3e-0000-4000-8000-000000000002', device: 'Safari on iOS', current: false },
  lastUsed: new Date(Date.now() - 3 * 3_600_000).toISOString(),
};
const END = `DELETE Account/sessions/${PHONE.id}`;
const END_OTHERS = 'POST Account/sessions/end-others';
const CHANGE = 'POST Account/change-password';
const CHECK = 'POST Account/check-password';
const WEAK = 'This is one of the most common passwords.';

function open(answers: Answers = {}) {
  const listed = { current: [HERE, PHONE] };
  const page = showPage(<SecurityPage />, '/profile/security', {
    'GET Account/sessions': () => answered(listed.current),
    'GET User/profile': answered(readerOf()),
    [CHECK]: answered({ weakness: null, refused: false }),
    ...answers,
  });
  return { ...page, listed };
}

describe('the security page', () => {
  asReader();

  it('lists where one is signed in, marks this device, and logs another one out', async () => {
    const { press, server, listed } = open({ [END]: answered({ message: 'The session has ended.' }) });
    await sees('This device');
    const [here, phone] = screen.getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(here.textContent).toContain('This device');
    expect(within(here).queryByRole('button')).toBeNull();
    expect(phone.textContent).toMatch(/Safari on iOSLast used 3 hours ago · 203\.0\.113\.x · since/);
    listed.current = [HERE];
    await press('Sign out Safari on iOS');
    await sees('The session has ended.');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(server.asked(END)).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).toBeNull();
  });

  it('takes a session that ended meanwhile for ended', async () => {
    const { press, listed } = open({ [END]: refused('NotFound', 'You have no such session.') });
    await sees('This device');
    listed.current = [HERE];
    await press('Sign out Safari on iOS');
    await sees('This session has already ended.');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(screen.queryByText('You have no such session.')).toBeNull();
  });

  describe('the second factor', () => {
    const FACTORS = 'GET Account/second-factor';
    const APP = 'Account/second-factor/code-app';
    const none = { codeAppSince: null, passkeys: [], recoveryCodesLeft: 0, required: false };
    const withApp = { ...none, codeAppSince: '2026-11-20T08:00:00.000Z', recoveryCodesLeft: 10 };

    it('shows recovery codes until they are acknowledged, and nothing over them', async () => {
      const factors = { current: none as typeof none | typeof withApp };
      const { person, press } = open({
        [FACTORS]: () => answered(factors.current),
        [`POST ${APP}`]: answered({ secret: 'ABCD', uri: 'otpauth://totp/x', qr: '<svg />' }),
        [`POST ${APP}/confirm`]: answered({ recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] }),
      });
      await press('Set up');
      await person.type(await screen.findByLabelText('Code'), '123456');
      factors.current = withApp;
      await press('Turn on');
      await sees('aaaa-bbbb');
      expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
      await person.keyboard('{Escape}');
      fireEvent.pointerDown(document.body);
      fireEvent.click(document.body);
      expect(screen.getByText('aaaa-bbbb')).toBeTruthy();
      await press('I have saved them');
      await waitFor(() => expect(screen.queryByText('aaaa-bbbb')).toBeNull());
      expect(screen.queryByText('Authenticator app set up')).toBeNull();
    });

    it.each([
      [{ required: false }, 'Your password alone will then be enough to sign in.'],
      [{ required: true }, 'Your role needs a second factor'],
    ])('says what is true before the code app is removed: %j', async (state, words) => {
      const { press } = open({ [FACTORS]: answered({ ...withApp, ...state }) });
      await press('Remove');
      expect(screen.getByRole('alertdialog').textContent).toContain(words);
    });
  });

  it('asks before it logs out everywhere else', async () => {
    const message = 'You have been signed out everywhere else.';
    const { press, server } = open({ [END_OTHERS]: answered({ message }) });
    await press('Sign out everywhere else');
    await press('Cancel', await openQuestion());
    expect(server.asked(END_OTHERS)).toHaveLength(0);
    await press('Sign out everywhere else');
    await press('Sign out', await openQuestion());
    await sees(message);
  });

  it('changes the password by the present one, and warns of a weak one before it is sent', async () => {
    const { person, press, server } = open({
      [CHECK]: answered({ weakness: WEAK, refused: true }),
      [CHANGE]: answered({ message: 'Your password has been changed.' }),
    });
    await pasteInto(person, screen.getByLabelText('Current password'), 'Sekret#2026');
    await pasteInto(person, screen.getByLabelText('New password'), 'Password1!');
    await sees(`${WEAK} This password will not be accepted.`);
    expect(server.asked(CHECK).map(({ body }) => body)).toEqual([
      { password: 'Password1!', username: userOf().username, email: readerOf().email },
    ]);
    await press('Change password');
    await sees('Your password has been changed.');
    const body = { currentPassword: 'Sekret#2026', newPassword: 'Password1!' };
    expect(server.asked(CHANGE)[0]?.body).toEqual(body);
    expect(screen.getByLabelText('Current password')).toHaveProperty('value', '');
  });

  it('shows a refusal under its field, keeps the session, and shows what is typed at will', async () => {
    const wrong = { currentPassword: ['This is not your current password.'] };
    const { person } = open({ [CHANGE]: refused('ValidationFailed', 'No.', wrong) });
    const present = screen.getByLabelText('Current password');
    await pasteInto(person, present, 'Wrong#2026');
    await pasteInto(person, screen.getByLabelText('New password'), 'Zielony#Krokodyl9');
    await person.keyboard('{Enter}');
    await sees('This is not your current password.');
    expect(session.current()).not.toBeNull();
    expect(present).toHaveProperty('type', 'password');
    await person.click(screen.getAllByRole('button', { name: 'Show what is typed' })[0] as HTMLElement);
    expect(present).toHaveProperty('type', 'text');
  });
});
