import type { PaymentCreation } from '#contracts/payments/payment.js';
import type { TestBorrow } from './borrow-steps.js';
import type { Caller } from './caller.js';

type Owed = Pick<TestBorrow, 'borrowId' | 'reader'>;

/** The reader of a borrow begins to pay its fee online, or somebody else. */
export const create = ({ borrowId, reader }: Owed, by: Pick<Caller, 'post'> = reader) =>
  by.post(`Payment/create?borrowId=${borrowId}`);

/** What the reader began. */
export async function created(borrow: Owed): Promise<PaymentCreation> {
  const { status, body } = await create(borrow);
  expect(status).toBe(200);
  return body as PaymentCreation;
}

/** Somebody's browser is back from the provider's page. */
export const confirm = (by: Pick<Caller, 'post'>, { transactionId }: { transactionId: string }) =>
  by.post(`Payment/confirm?transactionId=${transactionId}`);

/** Chooses on the sandbox's page. Gives where its browser is sent. */
export async function choose(
  { redirectUrl }: Pick<PaymentCreation, 'redirectUrl'>,
  choice: 'pay' | 'decline',
) {
  const { status, headers } = await fetch(`${redirectUrl}/${choice}`, { method: 'POST', redirect: 'manual' });
  return { status, location: headers.get('location') };
}
