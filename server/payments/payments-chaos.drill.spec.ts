import { randomUUID } from 'node:crypto';
import { DESK } from '#contracts/borrowing/borrow-events.js';
import { inTransaction } from '#platform/database/database.js';
import { writeToOutbox } from '#platform/jobs/outbox.js';
import { caller } from '../../test-support/product/caller.js';
import { chanceOf, type Chance } from '../../test-support/arbitraries/chance.js';
import { lateBorrow, type LateBorrow } from '../../test-support/product/late-borrow.js';
import { sandboxPayers, stripePayers, type Payers } from '../../test-support/product/payers.js';
import {
  startProduct,
  type TestAccount,
  type TestProduct,
  type TestServer,
} from '../../test-support/product/product.js';
import { REDIS_INSTALLED, startTestRedis, type TestRedis } from '../../test-support/installation/redis.js';
import { settleElsewhere } from '../../test-support/product/settle-elsewhere.js';
import { TestClock } from '../../test-support/test-clock.js';
import type { PaymentStatus } from '#platform/database/entities/payment.entity.js';
import { READ_MODEL } from '#platform/database/read-model.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const READERS = 6;
/** Enough for every provider: 2.00 PLN a day. */
const TITLES = ['Solaris', 'Lalka', 'Ferdydurke', 'Quo vadis'];
const ROUNDS = 30;
/** What may happen at once in a round. */
const AT_ONCE = 12;

/** What a call may be answered while everything goes wrong. Never 500: nothing of this is unforeseen. */
const FORESEEN = [200, 409, 503];

type Step = 'create' | 'act' | 'confirm' | 'tell' | 'settleElsewhere' | 'desk' | 'sweep' | 'reconcile';

/**
 * Everything that can happen to payments, at random, at once, twice, late and in any order, while calls of the
 * provider are lost and processes break off between any two steps of the protocol. Then it has to come out right.
 */
function suite(
  startPayers: () => Promise<Payers> | Payers,
  startRedis: () => Promise<TestRedis | undefined>,
) {
  let redis: TestRedis | undefined;
  const clock = new TestClock();
  let chance: Chance;
  let payers: Payers;
  let product: TestProduct;
  let second: TestServer;
  let borrows: LateBorrow[];
  let admin: TestAccount;
  const offered: { transactionId: string; borrow: LateBorrow }[] = [];
  const answers = new Map<number, number>();

  beforeAll(async () => {
    chance = chanceOf('payments at random');
    payers = await startPayers();
    redis = await startRedis();
    product = await startProduct(clock, { environment: { ...payers.environment, ...redis?.environment } });
    second = await product.startServer();
    admin = await product.account('Admin');
    borrows = [];
    for (let n = 0; n < READERS; n += 1) borrows.push(await lateBorrow(product, clock, TITLES));
    await breakOffSteps();
  });
  afterAll(async () => {
    await product.close();
    await payers.stop();
    await redis?.stop();
  });

  /**
   * A process that dies leaves what was committed, and nothing further. Failing the writes of the ledger does so
   * at each of its steps: before the payment is written down, after the provider opened it, after the event is
   * stored, after the money is given back.
   */
  async function breakOffSteps(): Promise<void> {
    await product.database.query(`
      create table broken_off (one_in integer not null);
      insert into broken_off values (1000000);
      create function break_off() returns trigger language plpgsql as $$
      begin
        if random() < 1.0 / (select one_in from broken_off) then
          raise exception 'the process died here' using errcode = '08006';
        end if;
        return new;
      end $$;
      create trigger break_off before insert or update on payment_transaction
        for each row execute function break_off();`);
  }

  const breakOffOneIn = (times: number) =>
    product.database.query('update broken_off set one_in = $1', [times]);

  /** A call of somebody, to one of the processes. */
  async function call(who: TestAccount, path: string, body?: unknown) {
    const { token } = await product.signIn(who);
    const url = chance.chance(1 / 2) ? product.url : second.url;
    // Where the process goes away under the call, there is no answer.
    const answer = await caller(url, token)
      .post(`Payment/${path}`, body)
      .catch(() => ({ status: 503, body: undefined }));
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
    expect(FORESEEN).toContain(answer.status);
    return answer;
  }

  /** Another process: what the old one had in memory is gone, and its calls under way are cut off. */
  async function restart(): Promise<void> {
    const gone = second;
    second = await product.startServer();
    await gone.close();
  }

  /** Has one of the processes do a job, which is tried again where it breaks off. */
  const ask = (name: 'sweep-borrows' | 'reconcile-payments') =>
    inTransaction(product.database, (connection) =>
      writeToOutbox(connection, 'upkeep', name, {}, randomUUID()),
    );

  const steps: Record<Step, (borrow: LateBorrow) => Promise<unknown>> = {
    async create(borrow) {
      const { status, body } = await call(borrow.reader, `create?borrowId=${borrow.borrowId}`);
      if (status === 200) offered.push({ transactionId: body.transactionId, borrow });
    },
    async act() {
      const payment = offered.length > 0 && chance.pick(offered.slice(-4));
      if (payment) await payers.act(product.database, product.url, payment.transactionId, chance);
    },
    async confirm() {
      const payment = offered.length > 0 && chance.pick(offered.slice(-8));
      if (payment) await call(payment.borrow.reader, `confirm?transactionId=${payment.transactionId}`);
    },
    async tell() {
      const payment = offered.length > 0 && chance.pick(offered.slice(-8));
      const status = payment ? await payers.tell(product.url, payment.transactionId, chance) : undefined;
      if (status !== undefined) expect(FORESEEN).toContain(status);
    },
    async settleElsewhere(borrow) {
      const amount = chance.pick([200, 400]);
      await settleElsewhere(product, borrow, amount, clock.now()).catch((error: Error) => {
        if (error.name !== 'DomainError') throw error;
      });
    },
    async desk(borrow) {
      const { rows } = await product.database.query<{ due: number }>(
        `select charged - paid as due from ${READ_MODEL}.borrow where borrow_id = $1`,
        [borrow.borrowId],
      );
      const amount = rows[0]?.due ?? 0;
      if (amount > 0) await call(admin, `desk?borrowId=${borrow.borrowId}`, { amount });
    },
    sweep: () => ask('sweep-borrows'),
    reconcile: () => ask('reconcile-payments'),
  };
  const often = (step: Step, times: number) => Array<Step>(times).fill(step);
  const WEIGHTED = [
    ...often('create', 6),
    ...often('act', 9),
    ...often('confirm', 8),
    ...often('tell', 5),
    ...often('settleElsewhere', 1),
    ...often('desk', 1),
    ...often('sweep', 1),
    ...often('reconcile', 2),
  ];

  const ledger = async () => {
    const { rows } = await product.database.query<{
      id: string;
      borrow_id: string;
      amount: number;
      provider: string;
      status: PaymentStatus;
    }>('select id, borrow_id, amount, provider, status from payment_transaction order by id');
    return rows;
  };

  it('comes out right', async () => {
    await breakOffOneIn(6);
    payers.disturb(chance);
    for (let round = 0; round < ROUNDS; round += 1) {
      await clock.forward(chance.below(chance.chance(1 / 3) ? 30 * HOUR : 2 * MINUTE));
      const happening = Array.from({ length: AT_ONCE }, () =>
        steps[chance.pick(WEIGHTED)](chance.pick(borrows)),
      );
      if (chance.chance(1 / 10)) happening.push(restart());
      await Promise.all(happening);
    }

    await breakOffOneIn(1_000_000_000);
    payers.disturb();
    payers.end(chance);
    await clock.forward(2 * HOUR);
    await product.runJob('upkeep', 'reconcile-payments', {});

    const rows = await ledger();
    expect(rows.filter(({ status }) => status === 'open' || status === 'refunding')).toEqual([]);
    await expectBooksToAgree(rows);
    await expectOneEventEach(rows);
    expect(await product.differences()).toEqual([]);

    const counts = new Map<string, number>();
    for (const { provider, status } of rows) {
      const name = provider === DESK ? `${status} at the desk` : status;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    process.stdout.write(`  payments: ${[...counts].join('; ')}; answers: ${[...answers].join(' ')}\n`);
    // Something has to have happened for all this to say anything.
    expect(counts.get('paid') ?? 0).toBeGreaterThan(0);
    expect(answers.get(503) ?? 0).toBeGreaterThan(0);
  });

  /** The ledger equals the provider's: money is there for what is paid, was given back for the rest. */
  async function expectBooksToAgree(rows: Awaited<ReturnType<typeof ledger>>): Promise<void> {
    const books = new Map(
      (await payers.books(product.database)).map((booked) => [booked.transactionId, booked]),
    );
    for (const { id, amount, provider, status } of rows) {
      if (provider === DESK) continue;
      const booked = books.get(id) ?? { amount, charges: 0, refunds: 0 };
      const charges = status === 'paid' || status === 'refunded' ? 1 : 0;
      const refunds = status === 'refunded' ? 1 : 0;
      expect({ ...booked, status }).toMatchObject({ status, amount, charges, refunds });
      books.delete(id);
    }
    expect([...books.keys()]).toEqual([]);
  }

  async function expectOneEventEach(rows: Awaited<ReturnType<typeof ledger>>): Promise<void> {
    for (const { borrowId, events } of borrows) {
      const paid = (await events('FinePaid'))
        .filter(({ provider }) => provider !== 'elsewhere')
        .map(({ transactionId, amount }) => ({ id: transactionId, amount }));
      const expected = rows
        .filter((row) => row.borrow_id === borrowId && row.status === 'paid')
        .map(({ id, amount }) => ({ id, amount }));
      expect(paid.sort((one, other) => one.id.localeCompare(other.id))).toEqual(expected);
    }
  }
}

describe('payments at random in the sandbox', () => suite(sandboxPayers, async () => undefined));

// Once on either backend is enough: it takes long.
describe(`payments at random with Stripe, with jobs in ${REDIS_INSTALLED ? 'Redis' : 'PostgreSQL'}`, () =>
  suite(stripePayers, async () => (REDIS_INSTALLED ? startTestRedis() : undefined)));
