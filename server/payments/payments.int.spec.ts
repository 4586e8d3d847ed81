import { randomUUID } from 'node:crypto';
import type { PaymentCreation } from '#contracts/payments/payment.js';
import { createLogger } from '#platform/logging.js';
import { lateBorrow } from '../../test-support/late-borrow.js';
import { startProduct, caller, type TestAccount } from '../../test-support/product.js';
import { settleElsewhere } from '../../test-support/settle-elsewhere.js';
import { TestClock } from '../../test-support/test-clock.js';
import { shared } from '../../test-support/shared.js';
import { startServer } from '../create-server.js';

const DAY = 86_400_000;

describe('paying a fee in the sandbox', () => {
  const clock = new TestClock();
  const log: string[] = [];

  const product = shared(() => startProduct(clock, { log }));
  const second = shared(() => startServer(product.settings, { logger: createLogger('silent'), clock }));
  afterEach(async () => expect(await product.differences()).toEqual([]));

  const late = (titles?: string[]) => lateBorrow(product, clock, titles);
  const create = (reader: TestAccount, borrowId: string) =>
    reader.post(`Payment/create?borrowId=${borrowId}`);
  const confirm = (reader: TestAccount, transactionId: string) =>
    reader.post(`Payment/confirm?transactionId=${transactionId}`);
  const choose = async ({ redirectUrl }: PaymentCreation, choice: 'pay' | 'decline') => {
    const answer = await fetch(`${redirectUrl}/${choice}`, { method: 'POST', redirect: 'manual' });
    return { status: answer.status, location: answer.headers.get('location') };
  };
  const created = async (reader: TestAccount, borrowId: string) =>
    (await create(reader, borrowId)).body as PaymentCreation;
  const ledger = async (id: string) => {
    const { rows } = await product.database.query(
      `select t.status, t.amount, t.currency, t.provider, s.status as sandbox,
         s.charged_at is not null as charged, s.refunded_at is not null as refunded
       from payment_transaction t left join sandbox_payment s on s.transaction_id = t.id where t.id = $1`,
      [id],
    );
    return rows[0] as Record<string, unknown>;
  };

  // spec 1.3, 3.10
  it('charges what is late, offers it, takes it, records it once, and lets the books come back', async () => {
    const { reader, borrowId, takeBack, events } = await late();
    expect((await reader.get(`fine/${borrowId}`)).body).toEqual({ borrowId, charged: 0, paid: 0, due: 0 });
    const payment = await created(reader, borrowId);
    expect(payment.redirectUrl).toMatch(new RegExp(`^${product.url}/dev/pay/[\\w-]{43}$`));
    expect(await events('FineCharged')).toMatchObject([{ amount: 100, daysLate: 1 }]);
    expect(await takeBack()).toMatchObject({ status: 409, body: { code: 'FeeNotPaid' } });
    expect(await confirm(reader, payment.transactionId)).toMatchObject({
      status: 409,
      body: { code: 'PaymentNotCompleted', detail: 'This payment has not been made yet.' },
    });

    expect(await choose(payment, 'pay')).toEqual({ status: 303, location: '/#/payment/success' });
    expect(await choose(payment, 'pay')).toEqual({ status: 303, location: '/#/payment/success' });
    expect(await choose(payment, 'decline')).toEqual({ status: 303, location: '/#/payment/success' });
    const confirmed = { status: 200, body: { borrowId, amount: 1 } };
    expect(await confirm(reader, payment.transactionId)).toEqual(confirmed);
    // The answer waited for the rows.
    expect((await reader.get(`fine/${borrowId}`)).body).toEqual({ borrowId, charged: 1, paid: 1, due: 0 });
    expect((await reader.get('Borrow/history')).body).toMatchObject([{ status: 'Paid', fineDue: 0 }]);
    expect(await confirm(reader, payment.transactionId)).toEqual(confirmed);
    expect(await events('FinePaid')).toMatchObject([
      { borrowId, amount: 100, transactionId: payment.transactionId, provider: 'sandbox' },
    ]);
    expect(await ledger(payment.transactionId)).toEqual({
      status: 'paid',
      amount: 100,
      currency: 'PLN',
      provider: 'sandbox',
      sandbox: 'paid',
      charged: true,
      refunded: false,
    });
    expect(await create(reader, borrowId)).toMatchObject({ status: 409, body: { code: 'NothingToPay' } });
    expect((await takeBack()).status).toBe(200);
  });

  // spec 7.18
  it('confirms once, though asked many times at once, of two processes', async () => {
    const { reader, borrowId, events } = await late();
    const payment = await created(reader, borrowId);
    await choose(payment, 'pay');
    const elsewhere = caller(second.url, reader.token);
    const answers = await Promise.all([
      ...[1, 2, 3, 4].map(() => confirm(reader, payment.transactionId)),
      ...[1, 2, 3, 4].map(() => elsewhere.post(`Payment/confirm?transactionId=${payment.transactionId}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await events('FinePaid')).toHaveLength(1);
  });

  it('offers one payment, though asked many times at once, of two processes', async () => {
    const { reader, borrowId } = await late();
    const elsewhere = caller(second.url, reader.token);
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => create(reader, borrowId)),
      ...[1, 2, 3].map(() => elsewhere.post(`Payment/create?borrowId=${borrowId}`)),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => new URL(body.redirectUrl).pathname)).size).toBe(1);
    expect((await created(reader, borrowId)).transactionId).toBe(answers[0]?.body.transactionId);
  });

  it('offers anew what was declined, and takes no money for that', async () => {
    const { reader, borrowId, events } = await late();
    const first = await created(reader, borrowId);
    expect(await choose(first, 'decline')).toEqual({ status: 303, location: '/#/payment/fail' });
    expect(await choose(first, 'pay')).toEqual({ status: 303, location: '/#/payment/fail' });
    expect(await confirm(reader, first.transactionId)).toMatchObject({
      status: 409,
      body: { detail: 'This payment was declined. No money was taken.' },
    });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'refused', charged: false });
    const next = await created(reader, borrowId);
    expect(next.transactionId).not.toBe(first.transactionId);
    await choose(next, 'pay');
    expect((await confirm(reader, next.transactionId)).status).toBe(200);
    expect(await events('FinePaid')).toHaveLength(1);
  });

  it('offers the whole when another day was charged: the older page can no longer be paid', async () => {
    const borrow = await late();
    const first = await created(borrow.reader, borrow.borrowId);
    await clock.forward(DAY);
    const reader = await product.signIn(borrow.reader);
    const next = await created(reader, borrow.borrowId);
    expect(next.transactionId).not.toBe(first.transactionId);
    expect(await choose(first, 'pay')).toMatchObject({ location: '/#/payment/fail' });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'expired', charged: false });
    await choose(next, 'pay');
    expect((await confirm(reader, next.transactionId)).body).toMatchObject({ amount: 2 });
    expect((await reader.get(`fine/${borrow.borrowId}`)).body).toMatchObject({ charged: 2, paid: 2, due: 0 });
  });

  it('takes what was paid before another day was charged as a part, and asks for the rest', async () => {
    const borrow = await late();
    const first = await created(borrow.reader, borrow.borrowId);
    await choose(first, 'pay');
    await clock.forward(DAY);
    const reader = await product.signIn(borrow.reader);
    expect(await borrow.takeBack()).toMatchObject({ body: { code: 'FeeNotPaid' } });
    // Nobody confirmed the first: creating finds out that it was paid, records it, and offers what is left.
    const rest = await created(reader, borrow.borrowId);
    expect((await reader.get(`fine/${borrow.borrowId}`)).body).toMatchObject({ charged: 2, paid: 1, due: 1 });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'paid' });
    await choose(rest, 'pay');
    expect((await confirm(reader, rest.transactionId)).body).toMatchObject({ amount: 1 });
    expect((await borrow.takeBack()).status).toBe(200);
  });

  it('gives back what was paid for a fee that had been settled meanwhile', async () => {
    const { reader, borrowId, events } = await late();
    const payment = await created(reader, borrowId);
    await choose(payment, 'pay');
    const other = await settleElsewhere(product, reader.pseudonym, borrowId, 100, clock.now());
    for (let time = 1; time <= 2; time += 1) {
      expect(await confirm(reader, payment.transactionId)).toMatchObject({
        status: 409,
        body: {
          code: 'PaymentNotCompleted',
          detail: 'This fee was already settled, so your payment was refunded.',
        },
      });
    }
    expect(await ledger(payment.transactionId)).toMatchObject({
      status: 'refunded',
      charged: true,
      refunded: true,
    });
    expect(await events('FinePaid')).toMatchObject([{ transactionId: other }]);
  });

  // spec 7.18
  it('tells nobody of the payments and fees of others', async () => {
    const { reader, borrowId } = await late();
    const payment = await created(reader, borrowId);
    const other = await product.account();
    expect(await create(other, borrowId)).toMatchObject({ status: 404, body: { code: 'BorrowNotFound' } });
    const notFound = { status: 404, body: { code: 'TransactionNotFound' } };
    expect(await confirm(other, payment.transactionId)).toMatchObject(notFound);
    expect(await confirm(other, randomUUID())).toMatchObject(notFound);
    expect(await confirm(reader, 'no-such-thing')).toMatchObject(notFound);
    // Not even a librarian confirms for somebody else.
    expect(await confirm(await product.account('Admin'), payment.transactionId)).toMatchObject(notFound);
    expect(await other.get(`fine/${borrowId}`)).toMatchObject({
      status: 404,
      body: { code: 'BorrowNotFound' },
    });
    expect((await (await product.account('Admin')).get(`fine/${borrowId}`)).body).toMatchObject({ due: 1 });
    expect((await (await product.account('Auditor')).get(`fine/${borrowId}`)).body).toMatchObject({ due: 1 });
    expect((await other.get(`fine/${randomUUID()}`)).status).toBe(404);
    expect((await fetch(`${product.url}/api/fine/${borrowId}`)).status).toBe(401);
    for (const call of ['create?borrowId=x', 'confirm?transactionId=x']) {
      expect((await fetch(`${product.url}/api/Payment/${call}`, { method: 'POST' })).status).toBe(401);
    }
  });

  it('refuses bad requests naming the field', async () => {
    const { reader } = await late();
    expect(await create(reader, 'x')).toMatchObject({
      status: 400,
      body: { errors: { borrowId: expect.any(Array) } },
    });
    expect(await confirm(reader, '')).toMatchObject({
      status: 400,
      body: { errors: { transactionId: expect.any(Array) } },
    });
    expect(await reader.get('fine/x')).toMatchObject({
      status: 400,
      body: { errors: { id: expect.any(Array) } },
    });
  });

  it('has a page that says what it is, works without a script, and tells its address to nobody', async () => {
    const { reader, borrowId } = await late(['<b>Mistrz</b> & Małgorzata']);
    const { redirectUrl } = await created(reader, borrowId);
    const answer = await fetch(redirectUrl);
    const page = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('Sandbox – no money moves');
    expect(page).toContain('0.50 PLN');
    expect(page).toContain('&lt;b&gt;Mistrz&lt;/b&gt; &amp; Małgorzata');
    expect(page).not.toContain('<script');
    const path = new URL(redirectUrl).pathname;
    expect(page).toContain(`<form class="pay" method="post" action="${path}/pay">`);
    expect(page).toContain(`<form method="post" action="${path}/decline">`);
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; font-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    await fetch(`${redirectUrl}/pay`, { method: 'POST', redirect: 'manual' });
    const after = await (await fetch(redirectUrl)).text();
    expect(after).toContain('This payment was made.');
    expect(after).not.toContain('<form');

    const unknown = await fetch(`${product.url}/dev/pay/${'x'.repeat(43)}`);
    expect(unknown.status).toBe(404);
    expect(await unknown.text()).toContain('There is no such payment');
    const unknownPaid = await fetch(`${product.url}/dev/pay/${'x'.repeat(43)}/pay`, { method: 'POST' });
    expect(unknownPaid.status).toBe(404);
  });

  it('keeps references and amounts out of the log and the events', async () => {
    const { reader, borrowId } = await late();
    const payment = await created(reader, borrowId);
    await choose(payment, 'pay');
    await confirm(reader, payment.transactionId);
    const reference = new URL(payment.redirectUrl).pathname.split('/').at(-1) ?? '';
    expect(reference).toHaveLength(43);
    expect(log.join('\n')).not.toContain(reference);
    const events = await product.log.readStream('borrows', reader.pseudonym);
    expect(JSON.stringify(events.map(({ event, metadata }) => ({ event, metadata })))).not.toContain(
      reference,
    );
  });
});
