import { screen } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { show } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { ID } from '../../../test-support/views.js';
import { ConfirmEmailPage } from './confirm-email-page.js';
import { EmailNotificationPage } from './email-notification-page.js';

const CONFIRM = 'POST Account/confirm-email';
const RESEND = 'POST Account/resend-confirmation-email';
const confirm = (search: string) =>
  show([{ path: '/confirm-email', element: <ConfirmEmailPage /> }], `/confirm-email${search}`);
const notice = (search: string) =>
  show([{ path: '/email-notification', element: <EmailNotificationPage /> }], `/email-notification${search}`);

describe('the confirmation of an email address', () => {
  // spec 2.17, 9.9
  it('says that it is confirmed, and goes to the sign-in page', async () => {
    const server = serverOf({ [CONFIRM]: answered({ message: 'Your email address is confirmed.' }) });
    confirm(`?token=secret&userId=${ID}`);
    await sees(/Your email address is confirmed\./);
    expect(server.calls.map(({ body }) => body)).toEqual([{ token: 'secret', userId: ID }]);
    expect((await screen.findByTestId('elsewhere', {}, { timeout: 10_000 })).textContent).toBe('/login');
  });

  // spec 5.11
  it('needs a whole link', () => {
    const server = serverOf({});
    confirm('?token=secret');
    expect(screen.getByText('Invalid confirmation link.')).toBeTruthy();
    expect(server.calls).toHaveLength(0);
  });

  // spec 8.7
  it('shows what the server said, or that it failed', async () => {
    serverOf({ [CONFIRM]: refused('LinkInvalid', 'This link has been used.') });
    const { unmount } = confirm(`?token=secret&userId=${ID}`);
    await sees('This link has been used.');
    unmount();
    serverOf({ [CONFIRM]: null });
    confirm(`?token=other&userId=${ID}`);
    await sees('Email confirmation failed. Please try again later.');
  });
});

describe('the notice after a registration', () => {
  // spec 2.16, 8.18
  it('sends the letter again for a username', async () => {
    const server = serverOf({ [RESEND]: answered({ message: 'ok' }) });
    const { press } = notice('?username=anna');
    expect(screen.getByText('Registration successful')).toBeTruthy();
    await press('Send the email again');
    await sees('Confirmation email sent again');
    expect(server.calls.map(({ body }) => body)).toEqual([{ username: 'anna' }]);
  });

  // spec 2.16
  it('has nothing to send again without one', () => {
    serverOf({});
    notice('');
    expect(screen.getByText('Registration successful')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send the email again' })).toBeNull();
  });

  // spec 8.11
  it('says in a toast why it was not sent', async () => {
    serverOf({
      [RESEND]: refused('ValidationFailed', 'Some fields need your attention.', {
        username: ['At most 50 characters.'],
      }),
    });
    const { press } = notice('?username=anna');
    await press('Send the email again');
    await sees('At most 50 characters.');
  });
});
