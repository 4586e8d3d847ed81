import { setTimeout as sleep } from 'node:timers/promises';
import { chanceOf } from '../../test-support/arbitraries/chance.js';
import { forgetJobs } from '../../test-support/product/forget-jobs.js';
import { openLetterBox, type LetterBox } from '../../test-support/mail/letter-box.js';
import { OwnProcess } from '../../test-support/installation/own-process.js';
import { startProduct, type TestProduct } from '../../test-support/product/product.js';
import { REDIS_INSTALLED, startTestRedis, type RedisServer } from '../../test-support/installation/redis.js';
import { waitFor } from '../../test-support/wait-for.js';

const LETTERS = 900;
const KILLS = 4;
/** Milliseconds, in the mail server: else all were sent before the last kill. */
const LETTER_TAKES = 80;
/** Of the worker, at once: what a killed one may have handed over without a record of it. */
const CONCURRENCY = 4;

/** Letters by the thousand, workers that are killed while they send them, and a queue that is emptied meanwhile. */
function suite(startRedis: () => Promise<RedisServer | undefined>) {
  let redis: RedisServer | undefined;
  let box: LetterBox;
  let product: TestProduct;
  const workers: OwnProcess[] = [];

  beforeAll(async () => {
    redis = await startRedis();
    box = await openLetterBox(LETTER_TAKES);
    product = await startProduct(undefined, {
      environment: { ...redis?.environment, SMTP_URL: box.url, JOBS: 'off' },
    });
  });

  afterAll(async () => {
    for (const worker of workers) await worker.kill();
    await product.close();
    await box.close();
    await redis?.stop();
  });

  const startWorker = () => {
    const worker = OwnProcess.worker(product, { ...redis?.environment, SMTP_URL: box.url });
    workers.push(worker);
    return worker.until(async () => worker.output.includes('the worker works')).then(() => worker);
  };

  const open = async () => {
    const { rowCount } = await product.database.query(
      "select from letters.letter where state in ('waiting', 'sending')",
    );
    return rowCount ?? 0;
  };

  it('are all sent, and none twice but what a killed worker had just handed over', async () => {
    const chance = chanceOf('letters under kills');
    const { id } = await product.account();
    await product.database.query(
      `insert into letters.letter (cause, queue, kind, account_id, caused_at, data)
         select 'drill-' || n, 'mail', 'password-changed', $2::uuid, now(),
           jsonb_build_object('accountId', $2::uuid, 'changedAt', '2026-11-22T10:00:00.000Z')
         from generate_series(1, $1::integer) n`,
      [LETTERS, id],
    );
    let killed = await startWorker();
    let other = await startWorker();
    const began = Date.now();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = box.letters.length;
      await waitFor(() => box.letters.length > before + 50, 120_000);
      await sleep(chance.below(500));
      await killed.kill();
      if (kill % 2 === 0) await (redis ? redis.ask('flushall') : forgetJobs(product.database));
      [killed, other] = [other, await startWorker()];
    }
    const seconds = Math.round((Date.now() - began) / 1000);
    const left = await open();
    await waitFor(async () => (await open()) === 0, 300_000);
    const ids = box.letters.map(({ messageId }) => messageId);
    const twice = ids.length - new Set(ids).size;
    process.stdout.write(
      `${KILLS} kills and 2 emptied queues in ${seconds} s, ${left} letters left then; all sent after ${Math.round((Date.now() - began) / 1000)} s, ${twice} twice\n`,
    );
    expect(new Set(ids).size).toBe(LETTERS);
    expect(twice).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  });
}

describe('letters of workers that are killed, with jobs on PostgreSQL', () => suite(async () => undefined));

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)(
  'letters of workers that are killed, with jobs on Redis (needs redis-server)',
  () => suite(() => startTestRedis()),
);
