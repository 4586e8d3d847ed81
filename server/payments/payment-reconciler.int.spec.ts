import { breakingOff, type BrokenOffAt } from '../../test-support/broken-off.js';
import { lateBorrow } from '../../test-support/late-borrow.js';
import type { PaymentCreation } from '#contracts/payments/payment.js';
import { startProduct, type TestAccount, type TestProduct } from '../../test-support/product.js';
import { REDIS_INSTALLED, startTestRedis, type TestRedis } from '../../test-support/redis.js';
import { settleElsewhere } from '../../test-support/settle-elsewhere.js';
import { TestClock } from '../../test-support/test-clock.js';
import { withoutRounds } from '../../test-support/without-rounds.js';
import type { PaymentStatus } from '#platform/database/entities/payment.entity.js';
import type { ReconcileResult } from './payment-reconciler.js';

const MINUTE = 60_000;

function suite(startRedis: () => Promise<TestRedis | undefined>) {
  const clock = new TestClock();
  let redis: TestRedis | undefined;
  let product: TestProduct;
  let brokenOffAt: BrokenOffAt;

  beforeAll(async () => {
    withoutRounds();
    redis = await startRedis();
    product = await startProduct(clock, { environment: { ...redis?.environment } });
    brokenOffAt = await breakingOff(product.database);
  });
  afterEach(async () => expect(await product.differences()).toEqual([]));
  afterAll(async () => {
    await product.close();
    await redis?.stop();
  });

  const late = () => lateBorrow(product, clock);
  const create = (reader: TestAccount, borrowId: string) =>
    reader.post(`Payment/create?borrowId=${borrowId}`);
  const created = async (reader: TestAccount, borrowId: string) =>
    (await create(reader, borrowId)).body as PaymentCreation;
  const confirm = (reader: TestAccount, transactionId: string) =>
    reader.post(`Payment/confirm?transactionId=${transactionId}`);
  const choose = ({ redirectUrl }: PaymentCreation, choice: 'pay' | 'decline') =>
    fetch(`${redirectUrl}/${choice}`, { method: 'POST', redirect: 'manual' });
  const reconcile = () => product.runJob('upkeep', 'reconcile-payments', {}) as Promise<ReconcileResult>;
  const statusOf = async (transactionId: string) => {
    const { rows } = await product.database.query<{ status: PaymentStatus }>(
      'select status from payment_transaction where id = $1',
      [transactionId],
    );
    return rows[0]?.status;
  };

  it('finds by itself what nobody told: a closed browser, a page that was left', async () => {
    const [paid, left, declined] = [await late(), await late(), await late()];
    const payments = await Promise.all(
      [paid, left, declined].map(async ({ reader, borrowId }) =>
        created(await product.signIn(reader), borrowId),
      ),
    );
    const [first, , third] = payments;
    if (first) await choose(first, 'pay');
    if (third) await choose(third, 'decline');
    const statuses = () => Promise.all(payments.map(({ transactionId }) => statusOf(transactionId)));
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

  it('goes on past a payment that cannot be settled, and tries it again', async () => {
    const [broken, whole] = [await late(), await late()];
    const payments = await Promise.all(
      [broken, whole].map(async ({ reader, borrowId }) => created(await product.signIn(reader), borrowId)),
    );
    for (const payment of payments) await choose(payment, 'pay');
    await product.database.query(`update payment_transaction set provider_reference = 'lost' where id = $1`, [
      payments[0]?.transactionId,
    ]);
    await clock.forward(2 * MINUTE);
    expect(await reconcile()).toMatchObject({ paid: 1, failed_to_ask: 1 });
    await product.database.query(
      `update payment_transaction t set provider_reference = s.reference
       from sandbox_payment s where s.transaction_id = t.id and t.id = $1`,
      [payments[0]?.transactionId],
    );
    expect(await reconcile()).toEqual({ paid: 1, failed_to_ask: 0 });
    expect(await broken.events('FinePaid')).toHaveLength(1);
  });

  it('gives up a payment whose process died before the provider took it, and offers another', async () => {
    const { reader, borrowId } = await late();
    const payment = await created(reader, borrowId);
    await product.database.query('delete from sandbox_payment where transaction_id = $1', [
      payment.transactionId,
    ]);
    await product.database.query('update payment_transaction set provider_reference = null where id = $1', [
      payment.transactionId,
    ]);
    // At once it is the same transaction, taken up where it was left.
    expect((await created(reader, borrowId)).transactionId).toBe(payment.transactionId);
    await product.database.query('update payment_transaction set provider_reference = null where id = $1', [
      payment.transactionId,
    ]);
    await clock.forward(2 * MINUTE);
    await reconcile();
    expect(await statusOf(payment.transactionId)).toBe('failed');
    expect((await confirm(reader, payment.transactionId)).body.detail).toMatch(/never reached/);
    const next = await created(reader, borrowId);
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
      const { reader, borrowId, events } = await late();
      expect(await brokenOffAt(at, () => create(reader, borrowId))).toMatchObject(away);
      const payment = await created(reader, borrowId);
      const { rowCount } = await product.database.query(
        'select from payment_transaction where borrow_id = $1',
        [borrowId],
      );
      expect(rowCount).toBe(1);
      await choose(payment, 'pay');
      expect((await confirm(reader, payment.transactionId)).status).toBe(200);
      expect(await events('FinePaid')).toHaveLength(1);
    },
  );

  it.each(['browser', 'reconciler'])(
    'stores one event though a process died after it was stored; the %s finishes the ledger',
    async (who) => {
      const { reader, borrowId, events } = await late();
      const payment = await created(reader, borrowId);
      await choose(payment, 'pay');
      for (let time = 1; time <= 2; time += 1) {
        expect(await brokenOffAt('UPDATE paid', () => confirm(reader, payment.transactionId))).toMatchObject(
          away,
        );
      }
      expect(await events('FinePaid')).toHaveLength(1);
      expect(await statusOf(payment.transactionId)).toBe('open');
      await clock.forward(2 * MINUTE);
      if (who === 'reconciler') expect(await reconcile()).toMatchObject({ paid: 1 });
      else expect((await confirm(reader, payment.transactionId)).status).toBe(200);
      expect(await statusOf(payment.transactionId)).toBe('paid');
      expect(await events('FinePaid')).toHaveLength(1);
    },
  );

  it.each(['UPDATE refunding', 'UPDATE refunded'])(
    'gives money back once though a process died at %s: before it was given back, or after',
    async (at) => {
      const { reader, borrowId, events } = await late();
      const payment = await created(reader, borrowId);
      await choose(payment, 'pay');
      const other = await settleElsewhere(product, reader.pseudonym, borrowId, 100, clock.now());
      expect(await brokenOffAt(at, () => confirm(reader, payment.transactionId))).toMatchObject(away);
      expect(await charged(payment.transactionId)).toEqual({
        charged: true,
        refunded: at === 'UPDATE refunded',
      });
      // Owed anew: what is on its way back stays so.
      await clock.forward(24 * 60 * MINUTE);
      await product.runJob('upkeep', 'sweep-borrows', {});
      await reconcile();
      const kept = at === 'UPDATE refunding';
      expect(await statusOf(payment.transactionId)).toBe(kept ? 'paid' : 'refunded');
      expect(await charged(payment.transactionId)).toEqual({ charged: true, refunded: !kept });
      expect((await events('FinePaid')).map(({ transactionId }) => transactionId)).toEqual(
        kept ? [other, payment.transactionId] : [other],
      );
    },
  );

  it.each(['UPDATE refused', 'UPDATE expired'])('ends a payment though a process died at %s', async (at) => {
    const { reader, borrowId } = await late();
    const payment = await created(reader, borrowId);
    if (at === 'UPDATE refused') await choose(payment, 'decline');
    await clock.forward(61 * MINUTE);
    expect(await brokenOffAt(at, () => confirm(reader, payment.transactionId))).toMatchObject(away);
    expect(await statusOf(payment.transactionId)).toBe('open');
    await reconcile();
    expect(`UPDATE ${await statusOf(payment.transactionId)}`).toBe(at);
  });
}

describe('payments of which nobody tells, with jobs on PostgreSQL', () => suite(async () => undefined));

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)(
  'payments of which nobody tells, with jobs on Redis (needs redis-server)',
  () => suite(() => startTestRedis()),
);
