import { breakingOff, type BrokenOffAt } from '../../test-support/database/broken-off.js';
import { lateBorrow } from '../../test-support/product/late-borrow.js';
import { choose, confirm, create, created } from '../../test-support/product/online-payment.js';
import { startProduct } from '../../test-support/product/product.js';
import { REDIS_INSTALLED, startTestRedis } from '../../test-support/installation/redis.js';
import { settleElsewhere } from '../../test-support/product/settle-elsewhere.js';
import { atEnd, shared } from '../../test-support/shared.js';
import { TestClock } from '../../test-support/test-clock.js';
import type { PaymentStatus } from '#platform/database/entities/payment.entity.js';
import type { ReconcileResult } from './payment-reconciler.js';

const MINUTE = 60_000;

/** A library whose payments are looked after when a test says so. */
function reconciledLibrary(environment: () => NodeJS.ProcessEnv = () => ({})) {
  const clock = new TestClock();
  const product = shared(() =>
    startProduct(clock, { staySignedIn: true, environment: environment(), jobs: { rounds: false } }),
  );
  atEnd(async () => expect(await product.differences()).toEqual([]));
  return {
    clock,
    product,
    late: () => lateBorrow(product, clock),
    reconcile: () => product.runJob('upkeep', 'reconcile-payments', {}) as Promise<ReconcileResult>,
    statusOf: async ({ transactionId }: { transactionId: string }) => {
      const { rows } = await product.database.query<{ status: PaymentStatus }>(
        'select status from payment_transaction where id = $1',
        [transactionId],
      );
      return rows[0]?.status;
    },
  };
}

/** What depends on how jobs are done: several at once. */
function findsWhatNobodyTold({ clock, late, reconcile, statusOf }: ReturnType<typeof reconciledLibrary>) {
  it('finds by itself what nobody told: a closed browser, a page that was left', async () => {
    const [paid, left, declined] = [await late(), await late(), await late()];
    const payments = [await created(paid), await created(left), await created(declined)] as const;
    await choose(payments[0], 'pay');
    await choose(payments[2], 'decline');
    const statuses = () => Promise.all(payments.map(statusOf));
    await reconcile();
    // Younger than a minute: the browser is on its way.
    expect(await statuses()).toEqual(['open', 'open', 'open']);
    await clock.forward(MINUTE + 1000);
    await Promise.all([reconcile(), reconcile(), reconcile()]);
    expect(await statuses()).toEqual(['paid', 'open', 'refused']);
    await clock.forward(60 * MINUTE);
    await reconcile();
    expect(await statuses()).toEqual(['paid', 'expired', 'refused']);
    expect(await paid.events('FinePaid')).toHaveLength(1);
    expect(await left.events('FinePaid')).toEqual([]);
  });
}

describe('payments of which nobody tells', () => {
  const library = reconciledLibrary();
  findsWhatNobodyTold(library);
  const { clock, product, late, reconcile, statusOf } = library;
  let brokenOffAt: BrokenOffAt;
  beforeAll(async () => {
    brokenOffAt = await breakingOff(product.database);
  });

  it('goes on past a payment that cannot be settled, and tries it again', async () => {
    const [broken, whole] = [await late(), await late()];
    const payments = [await created(broken), await created(whole)] as const;
    for (const payment of payments) await choose(payment, 'pay');
    await product.database.query(`update payment_transaction set provider_reference = 'lost' where id = $1`, [
      payments[0].transactionId,
    ]);
    await clock.forward(2 * MINUTE);
    expect(await reconcile()).toMatchObject({ paid: 1, failed_to_ask: 1 });
    await product.database.query(
      `update payment_transaction t set provider_reference = s.reference
       from sandbox_payment s where s.transaction_id = t.id and t.id = $1`,
      [payments[0].transactionId],
    );
    expect(await reconcile()).toEqual({ paid: 1, failed_to_ask: 0 });
    expect(await broken.events('FinePaid')).toHaveLength(1);
  });

  it('gives up a payment whose process died before the provider took it, and offers another', async () => {
    const borrow = await late();
    const payment = await created(borrow);
    const neverReached = () =>
      product.database.query('update payment_transaction set provider_reference = null where id = $1', [
        payment.transactionId,
      ]);
    await product.database.query('delete from sandbox_payment where transaction_id = $1', [
      payment.transactionId,
    ]);
    await neverReached();
    // At once it is the same transaction, taken up where it was left.
    expect((await created(borrow)).transactionId).toBe(payment.transactionId);
    await neverReached();
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await statusOf(payment)).toBe('failed');
    expect((await confirm(borrow.reader, payment)).body.detail).toMatch(/never reached/);
    const next = await created(borrow);
    expect(next.transactionId).not.toBe(payment.transactionId);
  });

  const charged = async (transactionId: string) => {
    const { rows } = await product.database.query<{ charged: boolean; refunded: boolean }>(
      `select charged_at is not null as charged, refunded_at is not null as refunded
       from sandbox_payment where transaction_id = $1`,
      [transactionId],
    );
    return rows[0];
  };
  const away = { status: 503, body: { code: 'DatabaseUnavailable' } };

  it.each(['INSERT open', 'UPDATE open'])(
    'offers one payment though a process died at %s: before the provider has it, or after',
    async (at) => {
      const borrow = await late();
      expect(await brokenOffAt(at, () => create(borrow))).toMatchObject(away);
      const payment = await created(borrow);
      const { rowCount } = await product.database.query(
        'select from payment_transaction where borrow_id = $1',
        [borrow.borrowId],
      );
      expect(rowCount).toBe(1);
      await choose(payment, 'pay');
      expect((await confirm(borrow.reader, payment)).status).toBe(200);
      expect(await borrow.events('FinePaid')).toHaveLength(1);
    },
  );

  it.each(['browser', 'reconciler'])(
    'stores one event though a process died after it was stored; the %s finishes the ledger',
    async (who) => {
      const borrow = await late();
      const payment = await created(borrow);
      await choose(payment, 'pay');
      for (let time = 1; time <= 2; time += 1) {
        expect(await brokenOffAt('UPDATE paid', () => confirm(borrow.reader, payment))).toMatchObject(away);
      }
      expect(await borrow.events('FinePaid')).toHaveLength(1);
      expect(await statusOf(payment)).toBe('open');
      await clock.forward(2 * MINUTE);
      if (who === 'reconciler') expect(await reconcile()).toMatchObject({ paid: 1 });
      else expect((await confirm(borrow.reader, payment)).status).toBe(200);
      expect(await statusOf(payment)).toBe('paid');
      expect(await borrow.events('FinePaid')).toHaveLength(1);
    },
  );

  it.each(['UPDATE refunding', 'UPDATE refunded'])(
    'gives money back once though a process died at %s: before it was given back, or after',
    async (at) => {
      const borrow = await late();
      const payment = await created(borrow);
      await choose(payment, 'pay');
      const other = await settleElsewhere(product, borrow, 100, clock.now());
      expect(await brokenOffAt(at, () => confirm(borrow.reader, payment))).toMatchObject(away);
      expect(await charged(payment.transactionId)).toEqual({
        charged: true,
        refunded: at === 'UPDATE refunded',
      });
      // Owed anew: what is on its way back stays so.
      await clock.forward(24 * 60 * MINUTE);
      await product.runJob('upkeep', 'sweep-borrows', {});
      await reconcile();
      const kept = at === 'UPDATE refunding';
      expect(await statusOf(payment)).toBe(kept ? 'paid' : 'refunded');
      expect(await charged(payment.transactionId)).toEqual({ charged: true, refunded: !kept });
      expect((await borrow.events('FinePaid')).map(({ transactionId }) => transactionId)).toEqual(
        kept ? [other, payment.transactionId] : [other],
      );
    },
  );

  it.each(['UPDATE refused', 'UPDATE expired'])('ends a payment though a process died at %s', async (at) => {
    const borrow = await late();
    const payment = await created(borrow);
    if (at === 'UPDATE refused') await choose(payment, 'decline');
    await clock.forward(61 * MINUTE);
    expect(await brokenOffAt(at, () => confirm(borrow.reader, payment))).toMatchObject(away);
    expect(await statusOf(payment)).toBe('open');
    await reconcile();
    expect(`UPDATE ${await statusOf(payment)}`).toBe(at);
  });
});

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)(
  'payments of which nobody tells, with jobs on Redis (needs redis-server)',
  () => {
    const redis = shared(startTestRedis);
    findsWhatNobodyTold(reconciledLibrary(() => redis.environment));
  },
);
