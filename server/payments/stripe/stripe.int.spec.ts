import type { Problem } from '#contracts/problem.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { FakeStripe } from '../../../test-support/services/fake-stripe.js';
import { lateBorrow } from '../../../test-support/product/late-borrow.js';
import { confirm, create, created } from '../../../test-support/product/online-payment.js';
import { refusal } from '../../../test-support/product/caller.js';
import { startProduct } from '../../../test-support/product/product.js';
import { settleElsewhere } from '../../../test-support/product/settle-elsewhere.js';
import { atEnd, shared } from '../../../test-support/shared.js';
import { TestClock } from '../../../test-support/test-clock.js';
import { waitFor } from '../../../test-support/wait-for.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('paying a fee with Stripe', () => {
  const clock = new TestClock();
  const stripe = shared(() => FakeStripe.start());
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: stripe.environment, jobs: { rounds: false } }),
  );
  afterEach(() => {
    stripe.fault = () => undefined;
    stripe.least = 200;
  });
  atEnd(async () => expect(await product.differences()).toEqual([]));

  /** Four books: 2.00 PLN a day. */
  const late = () => lateBorrow(product, clock, ['Solaris', 'Lalka', 'Ferdydurke', 'Quo vadis']);
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
    return { ...borrow, ...(await created(borrow)) };
  }

  it('opens a session in grosze with ids only, that the account’s own ways of paying apply to', async () => {
    const borrow = await offered();
    const { borrowId, transactionId, redirectUrl } = borrow;
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
    expect(await created(borrow)).toEqual({ transactionId, redirectUrl });
  });

  it('records a payment once, told by the browser and the webhook together, late and twice', async () => {
    const payment = await offered();
    const { reader, transactionId, events } = payment;
    expect((await confirm(reader, payment)).body.code).toBe('PaymentNotCompleted');
    // Too early: the event is not believed, Stripe is asked.
    expect(await stripe.tell(product.url, transactionId)).toBe(200);
    expect(await events('FinePaid')).toEqual([]);
    stripe.pay(transactionId);
    const answers = await Promise.all([
      stripe.tell(product.url, transactionId),
      confirm(reader, payment).then(({ status }) => status),
      stripe.tell(product.url, transactionId),
      reconcile().then(() => 200),
      confirm(reader, payment).then(({ status }) => status),
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

  it('is told what is wrong with a signed message that is no event', async () => {
    for (const message of [
      ...['null', '7', '[]', '{}', '{', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
      '{"type":"checkout.session.completed"}',
      '{"type":"checkout.session.completed","data":null}',
      '{"type":"checkout.session.completed","data":{"object":[]}}',
      '{"type":"checkout.session.completed","data":{"object":{"id":{}}}}',
      '{"type":7,"data":{"object":{}}}',
    ]) {
      const answer = await stripe.send(product.url, message);
      const { code, errors } = (await answer.json()) as Problem;
      const said = message.slice(0, 80);
      expect([said, answer.status, code]).toEqual([said, 400, 'ValidationFailed']);
      expect(Object.values(errors ?? {}).flat()).not.toEqual([]);
    }
  });

  it('waits for a slow way of paying, and offers no second payment meanwhile', async () => {
    const [slow, vain] = [await offered(), await offered()];
    for (const { transactionId } of [slow, vain]) stripe.payLater(transactionId);
    expect((await confirm(slow.reader, slow)).body.code).toBe('PaymentNotCompleted');
    await clock.forward(DAY);
    expect(await create(slow)).toMatchObject(
      refusal(409, 'PaymentNotCompleted', expect.stringContaining('still being processed')),
    );
    stripe.settle(slow.transactionId, 'paid');
    stripe.settle(vain.transactionId, 'failed');
    await stripe.tell(product.url, slow.transactionId, 'checkout.session.async_payment_succeeded');
    await stripe.tell(product.url, vain.transactionId, 'checkout.session.async_payment_failed');
    expect(await ledger(slow.transactionId)).toBe('paid');
    expect(await ledger(vain.transactionId)).toBe('refused');
    expect((await create(vain)).status).toBe(200);
  });

  it('ends the older session at Stripe when another day was charged', async () => {
    const borrow = await offered();
    const { transactionId } = borrow;
    await clock.forward(DAY);
    const next = await created(borrow);
    expect(stripe.session(transactionId).status).toBe('expired');
    expect(stripe.session(next.transactionId).amount).toBe(stripe.session(transactionId).amount * 2);
    stripe.pay(transactionId);
    expect(stripe.charges.some((charge) => charge.transactionId === transactionId)).toBe(false);
  });

  it('gives back, once, what was paid for a fee that had been settled, also when the answer to that is lost', async () => {
    const borrow = await offered();
    const { reader, transactionId, events } = borrow;
    stripe.pay(transactionId);
    const other = await settleElsewhere(product, borrow, 200, clock.now());
    stripe.fault = (_method, path) => (path === '/v1/refunds' ? 'lost-after' : undefined);
    expect(await confirm(reader, borrow)).toMatchObject(refusal(503, 'PaymentProviderUnavailable'));
    expect(await ledger(transactionId)).toBe('refunding');
    stripe.fault = () => undefined;
    await clock.forward(2 * MINUTE);
    await Promise.all([reconcile(), reconcile(), stripe.tell(product.url, transactionId)]);
    expect(await ledger(transactionId)).toBe('refunded');
    expect(stripe.refunds).toEqual([{ transactionId, amount: 200 }]);
    expect(await events('FinePaid')).toMatchObject([{ transactionId: other }]);
    expect((await confirm(reader, borrow)).body.detail).toMatch(/was refunded/);
  });

  it('says that Stripe is away, loses nothing, and goes on when it is back', async () => {
    const borrow = await late();
    stripe.fault = () => 'lost-after';
    const away = { status: 503, body: { code: 'PaymentProviderUnavailable' } };
    expect(await create(borrow)).toMatchObject(away);
    const sessions = stripe.sessions.size;
    stripe.fault = () => undefined;
    const payment = await created(borrow);
    // The session whose opening was not heard of is taken up: there is no second one.
    expect(stripe.sessions.size).toBe(sessions);
    stripe.pay(payment.transactionId);
    stripe.fault = () => 'refused';
    expect(await confirm(borrow.reader, payment)).toMatchObject(away);
    expect(await stripe.tell(product.url, payment.transactionId)).toBe(503);
    await clock.forward(2 * MINUTE);
    stripe.fault = () => undefined;
    expect(await reconcile()).toMatchObject({ paid: 1 });
    expect(await borrow.events('FinePaid')).toHaveLength(1);
    expect(await confirm(borrow.reader, payment)).toMatchObject({
      status: 200,
      body: { amount: 2 },
    });
  });

  it('says before anything is begun that a fee is too small for Stripe, and takes it when it has grown', async () => {
    const borrow = await lateBorrow(product, clock, ['Lalka', 'Solaris', 'Ferdydurke']);
    expect(await borrow.reader.get('Payment/terms')).toEqual({
      status: 200,
      body: { online: true, minimumAmount: 200 },
    });
    const sessions = stripe.sessions.size;
    expect(await create(borrow)).toMatchObject(
      refusal(409, 'AmountTooSmall', 'Fees below 2.00 PLN are paid at the desk.'),
    );
    const { rowCount } = await product.database.query(
      'select from payment_transaction where borrow_id = $1',
      [borrow.borrowId],
    );
    expect([rowCount, stripe.sessions.size]).toEqual([0, sessions]);
    await clock.forward(DAY);
    expect((await create(borrow)).status).toBe(200);
  });

  it('asks for the currency of the library, whose minimum is another', async () => {
    const borrow = await lateBorrow(product, clock, ['Lalka']);
    let version = 0;
    const setCurrency = async (currency: string, minimumAmount: number) => {
      await product.database.query(
        `insert into library_facts (version, facts, changed_at) values ($1, $2, now())`,
        [(version += 1), { currency }],
      );
      await product.database.query('select pg_notify($1, $2)', [CHANNELS.library, '']);
      await waitFor(
        async () => (await borrow.reader.get('Payment/terms')).body.minimumAmount === minimumAmount,
      );
    };
    await setCurrency('EUR', 50);
    stripe.least = 50;
    const payment = await created(borrow);
    const { form } = stripe.session(payment.transactionId);
    expect(form.get('line_items[0][price_data][currency]')).toBe('eur');
    expect(form.get('line_items[0][price_data][unit_amount]')).toBe('50');
    stripe.pay(payment.transactionId);
    expect(await confirm(borrow.reader, payment)).toMatchObject({ status: 200, body: { amount: 0.5 } });
    await setCurrency('', 200);
  });

  it('says so too where Stripe wants more than is known of it, and keeps nothing waiting', async () => {
    const borrow = await late();
    stripe.least = 250;
    expect(await create(borrow)).toMatchObject(
      refusal(409, 'AmountTooSmall', expect.stringContaining('Please pay it at the desk.')),
    );
    stripe.least = 200;
    expect((await create(borrow)).status).toBe(200);
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
    const written = (await product.lines()).join('\n');
    for (const [name, secret] of Object.entries(stripe.environment)) {
      if (name.includes('SECRET')) expect(written).not.toContain(secret);
    }
    expect(written).not.toContain('checkout.stripe.example');
  });
});
