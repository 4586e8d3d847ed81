import { screen } from '@testing-library/react';
import { ID, problem, serverOf, show } from '../../../test-support/screen.js';
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
    const server = serverOf({ [CONFIRM]: [200, { message: 'Your email address is confirmed.' }] });
    confirm(`?token=secret&userId=${ID}`);
    expect(await screen.findByText(/Your email address is confirmed\./)).toBeTruthy();
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
    serverOf({ [CONFIRM]: problem(400, 'LinkInvalid', 'This link has been used.') });
    const { unmount } = confirm(`?token=secret&userId=${ID}`);
    expect(await screen.findByText('This link has been used.')).toBeTruthy();
    unmount();
    serverOf({ [CONFIRM]: null });
    confirm(`?token=other&userId=${ID}`);
    expect(await screen.findByText('Email confirmation failed. Please try again later.')).toBeTruthy();
  });
});

describe('the notice after a registration', () => {
  // spec 2.16, 8.18
  it('sends the letter again for a username', async () => {
    const server = serverOf({ [RESEND]: [200, { message: 'ok' }] });
    const { person } = notice('?username=anna');
    expect(screen.getByText('Registration successful')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('Confirmation email sent again')).toBeTruthy();
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
      [RESEND]: problem(400, 'ValidationFailed', 'Some fields need your attention.', {
        username: ['At most 50 characters.'],
      }),
    });
    const { person } = notice('?username=anna');
    await person.click(screen.getByRole('button', { name: 'Send the email again' }));
    expect(await screen.findByText('At most 50 characters.')).toBeTruthy();
  });
});
