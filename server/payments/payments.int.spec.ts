import { randomUUID } from 'node:crypto';
import { historyOf } from '../../test-support/product/borrow-steps.js';
import { lateBorrow } from '../../test-support/product/late-borrow.js';
import { choose, confirm, create, created } from '../../test-support/product/online-payment.js';
import { invalid, refusal } from '../../test-support/product/caller.js';
import { startProduct } from '../../test-support/product/product.js';
import { settleElsewhere } from '../../test-support/product/settle-elsewhere.js';
import { TestClock } from '../../test-support/test-clock.js';
import { atEnd, shared } from '../../test-support/shared.js';

const DAY = 86_400_000;

describe('paying a fee in the sandbox', () => {
  const clock = new TestClock();
  const product = shared(() => startProduct(clock, { staySignedIn: true }));
  const second = shared(() => product.startServer());
  atEnd(async () => expect(await product.differences()).toEqual([]));

  const late = (titles?: string[]) => lateBorrow(product, clock, titles);
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
    const borrow = await late();
    const { reader, borrowId, takeBack, events } = borrow;
    expect((await reader.get(`fine/${borrowId}`)).body).toEqual({ borrowId, charged: 0, paid: 0, due: 0 });
    const payment = await created(borrow);
    const { transactionId } = payment;
    expect(payment.redirectUrl).toMatch(new RegExp(`^${product.url}/dev/pay/[\\w-]{43}$`));
    expect(await events('FineCharged')).toMatchObject([{ amount: 100, daysLate: 1 }]);
    expect(await takeBack()).toMatchObject(refusal(409, 'FeeNotPaid'));
    expect(await confirm(reader, payment)).toMatchObject(
      refusal(409, 'PaymentNotCompleted', 'This payment has not been made yet.'),
    );

    for (const choice of ['pay', 'pay', 'decline'] as const)
      expect(await choose(payment, choice)).toEqual({ status: 303, location: '/#/payment/success' });
    const confirmed = { status: 200, body: { borrowId, amount: 1 } };
    expect(await confirm(reader, payment)).toEqual(confirmed);
    // The answer waited for the rows.
    expect((await reader.get(`fine/${borrowId}`)).body).toEqual({ borrowId, charged: 1, paid: 1, due: 0 });
    expect(await historyOf(reader)).toMatchObject([{ status: 'Paid', fineDue: 0 }]);
    expect(await confirm(reader, payment)).toEqual(confirmed);
    expect(await events('FinePaid')).toMatchObject([
      { borrowId, amount: 100, transactionId, provider: 'sandbox' },
    ]);
    expect(await ledger(transactionId)).toEqual({
      ...{ status: 'paid', amount: 100, currency: 'PLN', provider: 'sandbox' },
      ...{ sandbox: 'paid', charged: true, refunded: false },
    });
    expect(await create(borrow)).toMatchObject(refusal(409, 'NothingToPay'));
    expect((await takeBack()).status).toBe(200);
  });

  // spec 7.18
  it('confirms once, though asked many times at once, of two processes', async () => {
    const borrow = await late();
    const payment = await created(borrow);
    await choose(payment, 'pay');
    const elsewhere = borrow.reader.at(second.url);
    const answers = await Promise.all(
      [1, 2, 3, 4].flatMap(() => [borrow.reader, elsewhere].map((by) => confirm(by, payment))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await borrow.events('FinePaid')).toHaveLength(1);
  });

  it('offers one payment, though asked many times at once, of two processes', async () => {
    const borrow = await late();
    const elsewhere = borrow.reader.at(second.url);
    const answers = await Promise.all(
      [1, 2, 3].flatMap(() => [borrow.reader, elsewhere].map((by) => create(borrow, by))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1);
    expect(new Set(answers.map(({ body }) => new URL(body.redirectUrl).pathname)).size).toBe(1);
    expect((await created(borrow)).transactionId).toBe(answers[0]?.body.transactionId);
  });

  it('offers anew what was declined, and takes no money for that', async () => {
    const borrow = await late();
    const { reader, events } = borrow;
    const first = await created(borrow);
    for (const choice of ['decline', 'pay'] as const)
      expect(await choose(first, choice)).toEqual({ status: 303, location: '/#/payment/fail' });
    expect(await confirm(reader, first)).toMatchObject({
      status: 409,
      body: { detail: 'This payment was declined. No money was taken.' },
    });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'refused', charged: false });
    const next = await created(borrow);
    expect(next.transactionId).not.toBe(first.transactionId);
    await choose(next, 'pay');
    expect((await confirm(reader, next)).status).toBe(200);
    expect(await events('FinePaid')).toHaveLength(1);
  });

  it('offers the whole when another day was charged: the older page can no longer be paid', async () => {
    const borrow = await late();
    const first = await created(borrow);
    await clock.forward(DAY);
    const next = await created(borrow);
    expect(next.transactionId).not.toBe(first.transactionId);
    expect(await choose(first, 'pay')).toMatchObject({ location: '/#/payment/fail' });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'expired', charged: false });
    await choose(next, 'pay');
    expect((await confirm(borrow.reader, next)).body).toMatchObject({ amount: 2 });
    expect((await borrow.reader.get(`fine/${borrow.borrowId}`)).body).toMatchObject({
      charged: 2,
      paid: 2,
      due: 0,
    });
  });

  it('takes what was paid before another day was charged as a part, and asks for the rest', async () => {
    const borrow = await late();
    const first = await created(borrow);
    await choose(first, 'pay');
    await clock.forward(DAY);
    expect(await borrow.takeBack()).toMatchObject({ body: { code: 'FeeNotPaid' } });
    // Nobody confirmed the first: creating finds out that it was paid, records it, and offers what is left.
    const rest = await created(borrow);
    expect((await borrow.reader.get(`fine/${borrow.borrowId}`)).body).toMatchObject({
      charged: 2,
      paid: 1,
      due: 1,
    });
    expect(await ledger(first.transactionId)).toMatchObject({ status: 'paid' });
    await choose(rest, 'pay');
    expect((await confirm(borrow.reader, rest)).body).toMatchObject({ amount: 1 });
    expect((await borrow.takeBack()).status).toBe(200);
  });

  it('gives back what was paid for a fee that had been settled meanwhile', async () => {
    const borrow = await late();
    const { reader, events } = borrow;
    const payment = await created(borrow);
    await choose(payment, 'pay');
    const other = await settleElsewhere(product, borrow, 100, clock.now());
    for (let time = 1; time <= 2; time += 1) {
      expect(await confirm(reader, payment)).toMatchObject({
        status: 409,
        body: {
          code: 'PaymentNotCompleted',
          detail: 'This fee was already settled, so your payment was refunded.',
        },
      });
    }
    const refunded = { status: 'refunded', charged: true, refunded: true };
    expect(await ledger(payment.transactionId)).toMatchObject(refunded);
    expect(await events('FinePaid')).toMatchObject([{ transactionId: other }]);
  });

  // spec 7.18
  it('tells nobody of the payments and fees of others', async () => {
    const borrow = await late();
    const { reader, borrowId } = borrow;
    const payment = await created(borrow);
    const [other, librarian] = [await product.account(), await product.account('Admin')];
    const noBorrow = { status: 404, body: { code: 'BorrowNotFound' } };
    expect(await create(borrow, other)).toMatchObject(noBorrow);
    // Not even a librarian confirms for somebody else.
    for (const [who, transactionId] of [
      [other, payment.transactionId],
      [librarian, payment.transactionId],
      [other, randomUUID()],
      [reader, 'no-such-thing'],
    ] as const) {
      expect(await confirm(who, { transactionId })).toMatchObject(refusal(404, 'TransactionNotFound'));
    }
    for (const id of [borrowId, randomUUID()]) expect(await other.get(`fine/${id}`)).toMatchObject(noBorrow);
    for (const staff of [librarian, await product.account('Auditor')])
      expect((await staff.get(`fine/${borrowId}`)).body).toMatchObject({ due: 1 });
  });

  it.each([
    ['POST', 'Payment/create?borrowId=x', 'borrowId'],
    ['POST', 'Payment/confirm?transactionId=', 'transactionId'],
    ['GET', 'fine/x', 'id'],
  ])('refuses a bad request, naming the field: %s %s', async (method, path, field) => {
    const reader = await product.account();
    const answer = await (method === 'GET' ? reader.get(path) : reader.post(path));
    expect(answer).toMatchObject(invalid(field));
  });

  it('has a page that says what it is, works without a script, and tells its address to nobody', async () => {
    const { redirectUrl } = await created(await late(['<b>Mistrz</b> & Małgorzata']));
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
    await choose({ redirectUrl }, 'pay');
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
    const borrow = await late();
    const payment = await created(borrow);
    await choose(payment, 'pay');
    await confirm(borrow.reader, payment);
    const reference = new URL(payment.redirectUrl).pathname.split('/').at(-1) ?? '';
    expect(reference).toHaveLength(43);
    const stored = await product.storedEvents();
    expect(JSON.stringify(stored)).toContain(borrow.borrowId);
    expect(JSON.stringify([await product.lines(), stored])).not.toContain(reference);
  });
});
