import { act, screen, waitFor } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { show, userOf } from '../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../test-support/server.js';
import { OTHER_ID } from '../../../test-support/views.js';
import { session } from '../../lib/session.js';
import { PaymentFailPage } from './payment-fail-page.js';
import { PaymentSuccessPage } from './payment-success-page.js';

const CONFIRM = 'POST Payment/confirm';
const confirmed = answered({ borrowId: OTHER_ID, amount: 12.5 });
const shown = (search = '') =>
  show([{ path: '/payment/success', element: <PaymentSuccessPage /> }], `/payment/success${search}`);

describe('coming back from the payment provider', () => {
  beforeEach(() => {
    localStorage.clear();
    session.begin(userOf());
  });
  afterEach(() => act(() => session.end()));

  // spec 2.26, 4.16, 9.9
  it('confirms the payment that was begun here, forgets it, and goes to the profile', async () => {
    localStorage.setItem('transactionId', 'tx-1');
    const server = serverOf({ [CONFIRM]: confirmed });
    shown('?transactionId=tx-other');
    await sees('Your payment is confirmed');
    expect(server.asked(CONFIRM).map(({ query }) => query)).toEqual([{ transactionId: 'tx-1' }]);
    expect(localStorage.getItem('transactionId')).toBeNull();
    expect((await screen.findByTestId('elsewhere', {}, { timeout: 10_000 })).textContent).toBe('/profile');
  });

  it('takes the transaction from the address where none is stored', async () => {
    const server = serverOf({ [CONFIRM]: confirmed });
    shown('?transactionId=tx-2');
    await sees('Your payment is confirmed');
    expect(server.asked(CONFIRM)[0]?.query).toEqual({ transactionId: 'tx-2' });
  });

  it('says that there is nothing to confirm', () => {
    const server = serverOf({});
    shown();
    expect(screen.getByText('No payment to confirm')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'To your profile' }).getAttribute('href')).toBe('/profile');
    expect(server.calls).toHaveLength(0);
  });

  it('waits for the provider, and keeps the transaction until it is confirmed', async () => {
    localStorage.setItem('transactionId', 'tx-3');
    const server = serverOf({ [CONFIRM]: refused('PaymentNotCompleted', 'Not yet.') });
    const { press } = shown();
    await sees(/The payment provider has not confirmed it yet/);
    expect(localStorage.getItem('transactionId')).toBe('tx-3');
    server.answers[CONFIRM] = confirmed;
    await press('Retry');
    await sees('Your payment is confirmed');
    await waitFor(() => expect(localStorage.getItem('transactionId')).toBeNull());
  });

  it('tells every other failure, without leaving the page', async () => {
    localStorage.setItem('transactionId', 'tx-4');
    serverOf({ [CONFIRM]: refused('TransactionNotFound', 'There is no such payment.') });
    const { address } = shown();
    await sees('There is no such payment.', 'Your payment could not be confirmed');
    expect(address()).toBe('/payment/success');
  });

  // spec 2.27
  it('stays on the page of a payment that failed, with a way back', () => {
    show([{ path: '/payment/fail', element: <PaymentFailPage /> }], '/payment/fail');
    expect(screen.getByText('Your payment did not go through')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to your profile' }).getAttribute('href')).toBe('/profile');
  });
});
