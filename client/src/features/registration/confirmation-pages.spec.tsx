import { jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { ID } from '../../../test-support/views.js';
import { ConfirmEmailPage } from './confirm-email-page.js';
import { EmailNotificationPage } from './email-notification-page.js';

const CONFIRM = 'POST Account/confirm-email';
const RESEND = 'POST Account/resend-confirmation-email';
const confirm = (search: string, answers: Answers = {}) =>
  showPage(<ConfirmEmailPage />, `/confirm-email${search}`, answers);
const notice = (search: string, answers: Answers = {}) =>
  showPage(<EmailNotificationPage />, `/email-notification${search}`, answers);

describe('the confirmation of an email address', () => {
  afterEach(() => void jest.useRealTimers());

  // spec 2.17, 9.9
  it('says that it is confirmed, and goes to the sign-in page', async () => {
    const confirmed = answered({ message: 'Your email address is confirmed.' });
    jest.useFakeTimers();
    const { server, address } = confirm(`?token=secret&userId=${ID}`, { [CONFIRM]: confirmed });
    await act(() => jest.advanceTimersByTimeAsync(2_900));
    expect(screen.getByText(/Your email address is confirmed\./)).toBeTruthy();
    expect(server.calls.map(({ body }) => body)).toEqual([{ token: 'secret', userId: ID }]);
    expect(address()).toContain('/confirm-email');
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(address()).toBe('/login');
  });

  // spec 5.11
  it('needs a whole link', () => {
    const { server } = confirm('?token=secret');
    expect(screen.getByText('Invalid confirmation link.')).toBeTruthy();
    expect(server.calls).toHaveLength(0);
  });

  // spec 8.7
  it.each([
    ['This link has been used.', refused('LinkInvalid', 'This link has been used.')],
    ['Email confirmation failed. Please try again later.', null],
  ])('shows what the server said, or that it failed: %s', async (words, answer) => {
    confirm(`?token=secret&userId=${ID}`, { [CONFIRM]: answer });
    await sees(words);
  });
});

describe('the notice after a registration', () => {
  // spec 2.16, 8.11, 8.18
  it('sends the letter again for a username, or says in a toast why it was not sent', async () => {
    const errors = { username: ['At most 50 characters.'] };
    const { server, press } = notice('?username=anna', {
      [RESEND]: refused('ValidationFailed', 'Some fields are wrong.', errors),
    });
    await sees('Registration successful');
    await press('Send the email again');
    await sees('At most 50 characters.');
    server.answers[RESEND] = answered({ message: 'ok' });
    await press('Send the email again');
    await sees('Confirmation email sent again');
    expect(server.calls.map(({ body }) => body)).toEqual([{ username: 'anna' }, { username: 'anna' }]);
  });

  // spec 2.16
  it('has nothing to send again without one', () => {
    notice('');
    expect(screen.getByText('Registration successful')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Send the email again' })).toBeNull();
  });
});
