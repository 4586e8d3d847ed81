import { screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { pasteInto } from '../../../test-support/paste-into.js';
import { showPage } from '../../../test-support/screen.js';
import { later, refused, type Answers } from '../../../test-support/server.js';
import { ForgotPasswordPage } from './forgot-password-page.js';
import { ResetPasswordPage } from './reset-password-page.js';

const FORGOT = 'POST Account/forgot-password';
const RESET = 'POST Account/reset-password';
const forgot = (answers: Answers = {}) => showPage(<ForgotPasswordPage />, '/forgot-password', answers);
const reset = (answers: Answers = {}, search = '?email=anna%40example.org&token=secret') =>
  showPage(<ResetPasswordPage />, `/reset-password${search}`, answers);

describe('a forgotten password', () => {
  const send = () => screen.getByRole('button', { name: /^Send/ });
  const filled = async (answers: Answers) => {
    const page = forgot(answers);
    await pasteInto(page.person, screen.getByLabelText('Email'), 'anna@example.org');
    await waitFor(() => expect(send()).toHaveProperty('disabled', false));
    return page;
  };

  // spec 5.9
  it('takes only an email address, and says so once the field was touched', async () => {
    const { person } = forgot();
    expect(send()).toHaveProperty('disabled', true);
    await person.type(screen.getByLabelText('Email'), 'anna');
    expect(screen.queryByText('Please enter a valid email address.')).toBeNull();
    await person.tab();
    await sees('Please enter a valid email address.');
    expect(send()).toHaveProperty('disabled', true);
  });

  // spec 2.18, 8.18
  it('shows that it sends, once, and what became of it', async () => {
    const answer = later();
    const { server, person } = await filled({ [FORGOT]: answer.answer });
    expect(send().textContent).toBe('Send reset link');
    await person.click(send());
    expect((await screen.findByText('Sending...')).closest('button')).toHaveProperty('disabled', true);
    answer.come(200, { message: 'If there is such an account, a letter is on its way.' });
    await sees('The email with the link is on its way');
    await waitFor(() => expect(send().textContent).toBe('Send reset link'));
    expect(server.asked(FORGOT).map(({ body }) => body)).toEqual([{ email: 'anna@example.org' }]);
  });

  // spec 8.12
  it('stops loading after a failure, which is told as every failure is', async () => {
    const { person } = await filled({ [FORGOT]: refused('TooManyAttempts', 'Too many attempts.') });
    await person.click(send());
    await sees('Too many attempts.');
    expect(send()).toHaveProperty('disabled', false);
    expect(screen.queryByText('The email with the link is on its way')).toBeNull();
  });
});

describe('a new password', () => {
  const field = () => screen.getByLabelText('New password');
  const elsewhere = async () => (await screen.findByTestId('elsewhere')).textContent;

  it.each(['', '?email=anna%40example.org', '?token=secret', '?email=&token='])(
    'needs a whole link (%s)',
    async (search) => {
      reset({}, search);
      await sees('Invalid or expired link.');
      expect(await elsewhere()).toBe('/login');
    },
  );

  // spec 5.10
  it('has at least 6 characters; its token is out of the address and out of the history', async () => {
    const { server, person, press, address, router } = reset();
    await waitFor(() => expect(address()).toBe('/reset-password'));
    expect(router.state.historyAction).toBe('REPLACE');
    expect(screen.queryByText('Invalid or expired link.')).toBeNull();
    await person.type(field(), 'Ab1!');
    await person.tab();
    await sees('Password must be at least 6 characters long.');
    await press(/^Reset/);
    expect(server.calls).toHaveLength(0);
  });

  // spec 2.19, 3.3
  it('is sent with what the link carried, and leads to the sign-in page', async () => {
    const answer = later();
    const { server, person, press } = reset({ [RESET]: answer.answer });
    await person.type(field(), 'Secret1!');
    await press(/^Reset/);
    expect((await screen.findByText('Resetting...')).closest('button')).toHaveProperty('disabled', true);
    answer.come(200, { message: 'Done.' });
    await sees('Your password has been changed');
    expect(await elsewhere()).toBe('/login');
    expect(server.asked(RESET).map(({ body }) => body)).toEqual([
      { email: 'anna@example.org', token: 'secret', newPassword: 'Secret1!' },
    ]);
  });

  // spec 8.8
  it('tells why the server refused, under the field where it is about the password', async () => {
    const lacks = 'Password must contain at least one number (0-9).';
    const { server, person, press } = reset({ [RESET]: refused('LinkInvalid', 'This link is used up.') });
    await person.type(field(), 'secret');
    await press(/^Reset/);
    await sees('This link is used up.');
    server.answers[RESET] = refused('ValidationFailed', 'Some fields are wrong.', { newPassword: [lacks] });
    await press(/^Reset/);
    await sees(lacks);
    server.answers[RESET] = null;
    await press(/^Reset/);
    await sees('An error occurred.');
    expect(field()).toHaveProperty('value', 'secret');
  });
});
