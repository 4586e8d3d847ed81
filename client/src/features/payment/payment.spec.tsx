import { jest } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { asReader, showPage } from '../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../test-support/server.js';
import { OTHER_ID } from '../../../test-support/views.js';
import { PaymentFailPage } from './payment-fail-page.js';
import { PaymentSuccessPage } from './payment-success-page.js';

const CONFIRM = 'POST Payment/confirm';
const confirmed = answered({ borrowId: OTHER_ID, amount: 12.5 });
const shown = (search = '', answers: Answers = {}) =>
  showPage(<PaymentSuccessPage />, `/payment/success${search}`, answers);

describe('coming back from the payment provider', () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => void jest.useRealTimers());
  asReader();
  const began = (transaction: string) => localStorage.setItem('transactionId', transaction);
  const begun = () => localStorage.getItem('transactionId');

  // spec 2.26, 4.16, 9.9
  it('confirms the payment that was begun here, forgets it, and goes to the profile', async () => {
    jest.useFakeTimers();
    began('tx-1');
    const { server, address } = shown('?transactionId=tx-other', { [CONFIRM]: confirmed });
    await act(() => jest.advanceTimersByTimeAsync(2_900));
    expect(screen.getByText('Your payment is confirmed')).toBeTruthy();
    expect(server.asked(CONFIRM).map(({ query }) => query)).toEqual([{ transactionId: 'tx-1' }]);
    expect(begun()).toBeNull();
    expect(address()).toContain('/payment/success');
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(address()).toBe('/profile');
  });

  it('takes the transaction from the address where none is stored', async () => {
    const { server } = shown('?transactionId=tx-2', { [CONFIRM]: confirmed });
    await sees('Your payment is confirmed');
    expect(server.asked(CONFIRM)[0]?.query).toEqual({ transactionId: 'tx-2' });
  });

  it('says that there is nothing to confirm', () => {
    const { server } = shown();
    expect(screen.getByText('No payment to confirm')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'To your profile' }).getAttribute('href')).toBe('/profile');
    expect(server.calls).toHaveLength(0);
  });

  it('waits for the provider, and keeps the transaction until it is confirmed', async () => {
    began('tx-3');
    const { server, press } = shown('', { [CONFIRM]: refused('PaymentNotCompleted', 'Not yet.') });
    await sees(/The payment provider has not confirmed it yet/);
    expect(begun()).toBe('tx-3');
    server.answers[CONFIRM] = confirmed;
    await press('Retry');
    await sees('Your payment is confirmed');
    await waitFor(() => expect(begun()).toBeNull());
  });

  it('tells every other failure, without leaving the page', async () => {
    began('tx-4');
    const { address } = shown('', { [CONFIRM]: refused('TransactionNotFound', 'There is no such payment.') });
    await sees('There is no such payment.', 'Your payment could not be confirmed');
    expect(address()).toBe('/payment/success');
  });

  // spec 2.27
  it('stays on the page of a payment that failed, with a way back', () => {
    showPage(<PaymentFailPage />, '/payment/fail');
    expect(screen.getByText('Your payment did not go through')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to your profile' }).getAttribute('href')).toBe('/profile');
  });
});
