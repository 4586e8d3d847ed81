import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { openDatabase, type Database } from '#platform/database/database.js';
import { createLogger } from '#platform/logging.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import { queryRows } from '#platform/database/query-rows.js';
import { CrashInstallation } from '../test-support/installation/crash-installation.js';
import { runJob } from '../test-support/product/run-job.js';
import { lettersTo } from '../test-support/mail/mailed.js';
import { waitFor } from '../test-support/wait-for.js';
import { shared } from '../test-support/shared.js';
import type { FeePayer, Stage } from './crash/fee-payer.js';
import { latePayers } from './crash/late-payers.js';
import { settledLog, verifyRows } from './crash/log-account.js';
import { Random } from './crash/random.js';

/** How often the product is killed. By hand: CRASH_KILLS=60; CRASH_SEED repeats the choices of an earlier run. */
const KILLS = Number(process.env['CRASH_KILLS'] ?? 3);
const SEED = Number(process.env['CRASH_SEED'] ?? randomInt(1, 1_000_000));
/** What the kills aim at, in turn. */
const STAGES: readonly Stage[] = ['create', 'pay', 'confirm'];
/** Readers who pay while the product is killed; the first of them is aimed at. */
const AT_ONCE = 3;
const DAY = 24 * 3_600_000;
/** grosze: one book, one day. */
const FEE = 50;
/** Milliseconds in which the letters are sent, also those whose sender was killed and whose job is found again. */
const LETTERS_TAKE = 150_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

describe(`payments while the product is killed (seed ${SEED})`, () => {
  const random = new Random(SEED);

  let payers: FeePayer[];
  /** Receipts that were being sent when the product was killed: their mail server may have had them already. */
  const interrupted = new Set<string>();

  const installation = shared(() => CrashInstallation.createOpened({ LOG_LEVEL: 'warn' }));
  beforeAll(async () => {
    await installation.start();
    payers = await lateReaders(installation, KILLS * AT_ONCE, random);
  });

  it(
    `takes each fee once, in the log and at the provider, killed ${KILLS} times`,
    async () => {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const stage = STAGES[kill % STAGES.length] as Stage;
        const [aimed, ...others] = payers.slice(kill * AT_ONCE, (kill + 1) * AT_ONCE) as [FeePayer];
        await aimed.goTo(stage, installation.url);
        const paying = [aimed, ...others].map((payer) => payer.finish(installation.url));
        const step = aimed.step(installation.url);
        await sleep(random.between(0, 40));
        const cut = random.chance(0.3);
        await (cut ? installation.cutPower() : installation.kill());
        const killedAt = new Date();
        await step;
        const took = await installation.start();
        const found = await withDatabase(installation, (database) => interruptedReceipts(database, killedAt));
        for (const cause of found) interrupted.add(cause);
        await Promise.all(paying);
        say(
          `killed (${cut ? 'power' : 'process'}) at “${stage}”; open again in ${(took / 1000).toFixed(1)} s`,
        );
      }
      expect(payers.map(({ stage }) => stage)).toEqual(payers.map(() => 'done'));
      await withDatabase(installation, (database) => expectBooksAgree(installation, database, payers));
    },
    120_000 + KILLS * 60_000,
  );

  it(
    'writes one receipt for each, and another only where it died while it was sending the first',
    async () => {
      const causes = await withDatabase(installation, (database) => receiptCauses(database, payers.length));
      const counts = await Promise.all(
        payers.map(async ({ borrowId, person }) => ({
          borrowId,
          receipts: await receiptsTo(installation.url, person.email),
          most: interrupted.has(causes.get(borrowId) ?? '') ? 2 : 1,
        })),
      );
      for (const { borrowId, receipts, most } of counts) {
        expect({ borrowId, least: receipts >= 1, atMost: receipts <= most }).toEqual({
          borrowId,
          least: true,
          atMost: true,
        });
      }
      const twice = counts.filter(({ receipts }) => receipts > 1).length;
      say(`seed ${SEED}: ${payers.length} receipts, ${interrupted.size} interrupted, ${twice} sent twice`);
      expect((await installation.stop()).code).toBe(0);
      expect(installation.processes()).toEqual([]);
    },
    LETTERS_TAKE + 60_000,
  );
});

/** Readers with a book that is a day late, which nobody has charged yet. */
function lateReaders(installation: CrashInstallation, count: number, random: Random): Promise<FeePayer[]> {
  return withDatabase(installation, (database) =>
    latePayers({ ...installation.addresses(), database }, count, DAY, random),
  );
}

/** One `FinePaid` a borrow; the ledger, the sandbox and what the readers were told agree with it. */
async function expectBooksAgree(
  installation: CrashInstallation,
  database: Database,
  payers: readonly FeePayer[],
): Promise<void> {
  const { databaseUrl, eventStoreUrl } = installation.addresses();
  // What was left behind between two steps is older than a minute when the library looks after it.
  await database.query(`update payment_transaction set created = created - interval '2 minutes'`);
  const queues = { DATABASE_URL: databaseUrl, REDIS_URL: undefined };
  const jobs = new Jobs(queueBackend(queues), createLogger('silent'));
  try {
    await runJob(jobs, 'upkeep', 'reconcile-payments', {});
  } finally {
    await jobs.close();
  }
  const log = await settledLog(database, eventStoreUrl);
  for (const { person, borrowId, confirmed } of payers) {
    const paid = log.flatMap(({ event, reader }) =>
      event.type === 'FinePaid' && reader === person.pseudonym ? [event.data] : [],
    );
    expect(paid).toMatchObject([{ borrowId, amount: FEE }]);
    const transactionId = paid[0]?.transactionId;
    if (confirmed !== undefined) expect(confirmed).toBe(transactionId);
    const rows = await queryRows(
      database,
      z.object({ id: z.string() }),
      `select id from payment_transaction where borrow_id = $1 and status = 'paid'`,
      [borrowId],
    );
    expect(rows).toEqual([{ id: transactionId }]);
  }
  // Row by row: what the library wrote down is what the provider did; each without the other would be money lost.
  const { rows: different } = await database.query(
    `select t.id, t.status, t.amount, s.status as provider, s.amount as taken
     from payment_transaction t full join sandbox_payment s on s.transaction_id = t.id
     where t.id is null
        or (t.status = 'paid') is distinct from coalesce(s.status = 'paid' and s.refunded_at is null, false)
        or t.status in ('open', 'refunding')
        or (t.status = 'paid' and t.amount is distinct from s.amount)`,
  );
  expect(different).toEqual([]);
  expect(await verifyRows({ databaseUrl, eventStoreUrl })).toMatchObject({ differences: [] });
}

/** The receipts that a killed process was sending. Its claim on them is put aside: it will not come back. */
async function interruptedReceipts(database: Database, killedAt: Date): Promise<string[]> {
  const rows = await queryRows(
    database,
    z.object({ cause: z.string() }),
    `update letters.letter set due_at = now()
     where state = 'sending' and kind = 'fee-paid' and claimed_at < $1 returning cause`,
    [killedAt],
  );
  return rows.map(({ cause }) => cause);
}

/** The event that each borrow's receipt is for, once every one is sent. */
async function receiptCauses(database: Database, count: number): Promise<Map<string, string>> {
  const rows = await waitFor(async () => {
    const found = await queryRows(
      database,
      z.object({ borrow_id: z.string(), cause: z.string(), state: z.string() }),
      `select borrow_id, cause, state from letters.letter where kind = 'fee-paid'`,
    );
    return found.length >= count && found.every(({ state }) => state === 'sent') && found;
  }, LETTERS_TAKE);
  expect(rows).toHaveLength(count);
  return new Map(rows.map(({ borrow_id, cause }) => [borrow_id, cause]));
}

async function receiptsTo(url: string, email: string): Promise<number> {
  const messages = await lettersTo(url, email);
  return messages.filter(({ subject }) => subject.startsWith('Receipt')).length;
}

async function withDatabase<Result>(
  installation: CrashInstallation,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(installation.addresses().databaseUrl, 2, createLogger('silent'));
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
