import type { PaymentCreation } from '#contracts/payments/payment.js';
import { readCurrencyBy } from '#contracts/currency.js';
import type { Problem } from '#contracts/problem.js';
import { FakeStripe } from '../../../test-support/fake-stripe.js';
import { lateBorrow } from '../../../test-support/late-borrow.js';
import { startProduct, type TestAccount, type TestProduct } from '../../../test-support/product.js';
import { settleElsewhere } from '../../../test-support/settle-elsewhere.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { withoutRounds } from '../../../test-support/without-rounds.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('paying a fee with Stripe', () => {
  const clock = new TestClock();
  const log: string[] = [];
  let stripe: FakeStripe;
  let product: TestProduct;

  beforeAll(async () => {
    withoutRounds();
    stripe = await FakeStripe.start();
    product = await startProduct(clock, { environment: stripe.environment, log });
  });
  afterEach(async () => {
    stripe.fault = () => undefined;
    stripe.least = 200;
    expect(await product.differences()).toEqual([]);
  });
  afterAll(async () => {
    await product.close();
    await stripe.stop();
  });

  /** Four books: 2.00 PLN a day. */
  const late = () => lateBorrow(product, clock, ['Solaris', 'Lalka', 'Ferdydurke', 'Quo vadis']);
  const create = (reader: TestAccount, borrowId: string) =>
    reader.post(`Payment/create?borrowId=${borrowId}`);
  const confirm = (reader: TestAccount, transactionId: string) =>
    reader.post(`Payment/confirm?transactionId=${transactionId}`);
  const reconcile = () => product.runJob('upkeep', 'reconcile-payments', {});
  const ledger = async (transactionId: string) => {
    const { rows } = await product.database.query<{ status: string }>(
      'select status from payment_transaction where id = $1',
      [transactionId],
    );
    return rows[0]?.status;
  };

  async function offered() {
    const borrow = await late();
    const { body } = await create(borrow.reader, borrow.borrowId);
    return { ...borrow, ...(body as PaymentCreation) };
  }

  it('opens a session in grosze with ids only, that the account’s own ways of paying apply to', async () => {
    const { reader, borrowId, transactionId, redirectUrl } = await offered();
    const { form, id, expiresAt } = stripe.session(transactionId);
    expect(redirectUrl).toBe(`https://checkout.stripe.example/c/pay/${id}`);
    expect(Object.fromEntries(form)).toEqual({
      mode: 'payment',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'pln',
      'line_items[0][price_data][unit_amount]': '200',
      'line_items[0][price_data][product_data][name]': 'Late fee',
      'adaptive_pricing[enabled]': 'false',
      client_reference_id: transactionId,
      'metadata[transactionId]': transactionId,
      'metadata[borrowId]': borrowId,
      'payment_intent_data[metadata][transactionId]': transactionId,
      'payment_intent_data[metadata][borrowId]': borrowId,
      success_url: 'https://library.example/#/payment/success',
      cancel_url: 'https://library.example/#/payment/fail',
      expires_at: String(expiresAt),
    });
    const again = (await create(reader, borrowId)).body;
    expect(again).toEqual({ transactionId, redirectUrl });
  });

  it('records a payment once, told by the browser and the webhook together, late and twice', async () => {
    const { reader, transactionId, events } = await offered();
    expect((await confirm(reader, transactionId)).body.code).toBe('PaymentNotCompleted');
    // Too early: the event is not believed, Stripe is asked.
    expect(await stripe.tell(product.url, transactionId)).toBe(200);
    expect(await events('FinePaid')).toEqual([]);
    stripe.pay(transactionId);
    const answers = await Promise.all([
      stripe.tell(product.url, transactionId),
      confirm(reader, transactionId).then(({ status }) => status),
      stripe.tell(product.url, transactionId),
      reconcile().then(() => 200),
      confirm(reader, transactionId).then(({ status }) => status),
    ]);
    expect(answers).toEqual([200, 200, 200, 200, 200]);
    // Reordered: the end of another story.
    expect(await stripe.tell(product.url, transactionId, 'checkout.session.expired')).toBe(200);
    expect(await events('FinePaid')).toMatchObject([{ amount: 200, transactionId, provider: 'stripe' }]);
    expect(await ledger(transactionId)).toBe('paid');
  });

  it('believes the webhook alone, and nobody who is not Stripe', async () => {
    const { transactionId, events } = await offered();
    stripe.pay(transactionId);
    const [url, type] = [product.url, 'checkout.session.completed'];
    expect(await stripe.tell(url, transactionId, type, { secret: 'whsec_of_somebody' })).toBe(403);
    for (const at of [Date.now() - 6 * MINUTE, Date.now() + 6 * MINUTE]) {
      expect(await stripe.tell(url, transactionId, type, { at })).toBe(403);
    }
    const unsigned = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    const answer = await fetch(`${url}/api/Payment/webhook`, unsigned);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'NotAllowed']);
    expect(await events('FinePaid')).toEqual([]);
    expect(await stripe.tell(url, transactionId, 'customer.created')).toBe(200);
    expect(await events('FinePaid')).toEqual([]);
    expect(await stripe.tell(url, transactionId)).toBe(200);
    expect(await events('FinePaid')).toHaveLength(1);
  });

  it.each([
    'null',
    '7',
    '[]',
    '{}',
    '{"type":"checkout.session.completed"}',
    '{"type":"checkout.session.completed","data":null}',
    '{"type":"checkout.session.completed","data":{"object":[]}}',
    '{"type":"checkout.session.completed","data":{"object":{"id":{}}}}',
    '{"type":7,"data":{"object":{}}}',
    '{',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  ])('is told what is wrong with a signed message that is no event: %.60j', async (message) => {
    const answer = await stripe.send(product.url, message);
    const { code, errors } = (await answer.json()) as Problem;
    expect([answer.status, code]).toEqual([400, 'ValidationFailed']);
    expect(Object.values(errors ?? {}).flat()).not.toEqual([]);
  });

  it('waits for a slow way of paying, and offers no second payment meanwhile', async () => {
    const [slow, vain] = [await offered(), await offered()];
    for (const { transactionId } of [slow, vain]) stripe.payLater(transactionId);
    const reader = await product.signIn(slow.reader);
    expect((await confirm(reader, slow.transactionId)).body.code).toBe('PaymentNotCompleted');
    await clock.forward(DAY);
    const nextDay = await product.signIn(slow.reader);
    expect(await create(nextDay, slow.borrowId)).toMatchObject({
      status: 409,
      body: { code: 'PaymentNotCompleted', detail: expect.stringContaining('still being processed') },
    });
    stripe.settle(slow.transactionId, 'paid');
    stripe.settle(vain.transactionId, 'failed');
    await stripe.tell(product.url, slow.transactionId, 'checkout.session.async_payment_succeeded');
    await stripe.tell(product.url, vain.transactionId, 'checkout.session.async_payment_failed');
    expect(await ledger(slow.transactionId)).toBe('paid');
    expect(await ledger(vain.transactionId)).toBe('refused');
    expect((await create(await product.signIn(vain.reader), vain.borrowId)).status).toBe(200);
  });

  it('ends the older session at Stripe when another day was charged', async () => {
    const { reader, borrowId, transactionId } = await offered();
    await clock.forward(DAY);
    const { body } = await create(await product.signIn(reader), borrowId);
    expect(stripe.session(transactionId).status).toBe('expired');
    expect(stripe.session(body.transactionId).amount).toBe(stripe.session(transactionId).amount * 2);
    stripe.pay(transactionId);
    expect(stripe.charges.some((charge) => charge.transactionId === transactionId)).toBe(false);
  });

  it('gives back, once, what was paid for a fee that had been settled, also when the answer to that is lost', async () => {
    const { reader, borrowId, transactionId, events } = await offered();
    stripe.pay(transactionId);
    const other = await settleElsewhere(product, reader.pseudonym, borrowId, 200, clock.now());
    stripe.fault = (_method, path) => (path === '/v1/refunds' ? 'lost-after' : undefined);
    expect(await confirm(reader, transactionId)).toMatchObject({
      status: 503,
      body: { code: 'PaymentProviderUnavailable' },
    });
    expect(await ledger(transactionId)).toBe('refunding');
    stripe.fault = () => undefined;
    await clock.forward(2 * MINUTE);
    await Promise.all([reconcile(), reconcile(), stripe.tell(product.url, transactionId)]);
    expect(await ledger(transactionId)).toBe('refunded');
    expect(stripe.refunds).toEqual([{ transactionId, amount: 200 }]);
    expect(await events('FinePaid')).toMatchObject([{ transactionId: other }]);
    expect((await confirm(reader, transactionId)).body.detail).toMatch(/was refunded/);
  });

  it('says that Stripe is away, loses nothing, and goes on when it is back', async () => {
    const borrow = await late();
    stripe.fault = () => 'lost-after';
    const away = { status: 503, body: { code: 'PaymentProviderUnavailable' } };
    expect(await create(borrow.reader, borrow.borrowId)).toMatchObject(away);
    const sessions = stripe.sessions.size;
    stripe.fault = () => undefined;
    const { body } = await create(borrow.reader, borrow.borrowId);
    // The session whose opening was not heard of is taken up: there is no second one.
    expect(stripe.sessions.size).toBe(sessions);
    stripe.pay(body.transactionId);
    stripe.fault = () => 'refused';
    expect(await confirm(borrow.reader, body.transactionId)).toMatchObject(away);
    expect(await stripe.tell(product.url, body.transactionId)).toBe(503);
    await clock.forward(2 * MINUTE);
    stripe.fault = () => undefined;
    expect(await reconcile()).toMatchObject({ paid: 1 });
    expect(await borrow.events('FinePaid')).toHaveLength(1);
    expect(await confirm(borrow.reader, body.transactionId)).toMatchObject({
      status: 200,
      body: { amount: 2 },
    });
  });

  it('says before anything is begun that a fee is too small for Stripe, and takes it when it has grown', async () => {
    const { reader, borrowId } = await lateBorrow(product, clock, ['Lalka', 'Solaris', 'Ferdydurke']);
    expect(await reader.get('Payment/terms')).toEqual({
      status: 200,
      body: { online: true, minimumAmount: 200 },
    });
    const sessions = stripe.sessions.size;
    expect(await create(reader, borrowId)).toMatchObject({
      status: 409,
      body: { code: 'AmountTooSmall', detail: 'Fees below 2.00 PLN are paid at the desk.' },
    });
    const { rowCount } = await product.database.query(
      'select from payment_transaction where borrow_id = $1',
      [borrowId],
    );
    expect([rowCount, stripe.sessions.size]).toEqual([0, sessions]);
    await clock.forward(DAY);
    expect((await create(await product.signIn(reader), borrowId)).status).toBe(200);
  });

  it('asks for the currency of the library, whose minimum is another', async () => {
    const { reader, borrowId } = await lateBorrow(product, clock, ['Lalka']);
    readCurrencyBy(() => 'EUR');
    try {
      stripe.least = 50;
      const { status, body } = await create(reader, borrowId);
      expect(status).toBe(200);
      const { form } = stripe.session(body.transactionId as string);
      expect(form.get('line_items[0][price_data][currency]')).toBe('eur');
      expect(form.get('line_items[0][price_data][unit_amount]')).toBe('50');
      stripe.pay(body.transactionId as string);
      expect(await confirm(reader, body.transactionId as string)).toMatchObject({
        status: 200,
        body: { amount: 0.5 },
      });
    } finally {
      readCurrencyBy(() => '');
    }
  });

  it('says so too where Stripe wants more than is known of it, and keeps nothing waiting', async () => {
    const { reader, borrowId } = await late();
    stripe.least = 250;
    expect(await create(reader, borrowId)).toMatchObject({
      status: 409,
      body: { code: 'AmountTooSmall', detail: expect.stringContaining('Please pay it at the desk.') },
    });
    stripe.least = 200;
    expect((await create(reader, borrowId)).status).toBe(200);
  });

  it('gives back what is paid online for a fee that was paid at the desk meanwhile', async () => {
    const { reader, borrowId, transactionId, events } = await offered();
    const admin = await product.account('Admin');
    const atDesk = await admin.post(`Payment/desk?borrowId=${borrowId}`, { amount: 200 });
    expect(atDesk.status).toBe(200);
    stripe.pay(transactionId);
    expect(await stripe.tell(product.url, transactionId)).toBe(200);
    expect(await ledger(transactionId)).toBe('refunded');
    expect(stripe.refunds.filter((refund) => refund.transactionId === transactionId)).toEqual([
      { transactionId, amount: 200 },
    ]);
    expect((await confirm(reader, transactionId)).body.detail).toMatch(/was refunded/);
    expect(await events('FinePaid')).toMatchObject([{ amount: 200, provider: 'desk' }]);
  });

  it('finds out by itself that a session ran out', async () => {
    const { transactionId } = await offered();
    stripe.runOut(transactionId);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await ledger(transactionId)).toBe('expired');
  });

  it('has no sandbox page, and writes no secret into the log', async () => {
    expect((await fetch(`${product.url}/dev/pay/anything`)).status).toBe(404);
    const written = log.join('\n');
    for (const [name, secret] of Object.entries(stripe.environment)) {
      if (name.includes('SECRET')) expect(written).not.toContain(secret);
    }
    expect(written).not.toContain('checkout.stripe.example');
  });
});
