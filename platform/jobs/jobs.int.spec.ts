import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test-support/database.js';
import { REDIS_INSTALLED, startTestRedis, type TestRedis } from '../../test-support/redis.js';
import { waitFor } from '../../test-support/wait-for.js';
import { inTransaction, openDatabase, type Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import { createLogger } from '../logging.js';
import { JOB_MAP, type JobName } from './job-map.js';
import { Jobs, type JobHandler } from './jobs.js';
import { OutboxRelay } from './outbox-relay.js';
import { writeToOutbox } from './outbox.js';
import { queueBackend } from './queue-backend.js';

const QUICK = { concurrency: 2, attempts: 3, firstRetryMs: 20 };
const PATIENCE = { mail: QUICK, upkeep: QUICK };

/** Every job of the queue has to have a handler; these tests are about one of them. */
function handleMail(jobs: Jobs, handler: JobHandler<'mail', 'confirm-email'>): void {
  jobs.handle('mail', 'confirm-email', handler);
  for (const job of Object.keys(JOB_MAP.mail) as JobName<'mail'>[]) {
    if (job !== 'confirm-email') jobs.handle('mail', job, async () => undefined);
  }
}

const settings = (database: TestDatabase, redis?: TestRedis) => ({
  DATABASE_URL: database.url,
  REDIS_URL: redis?.url,
});

function suite(startRedis: () => Promise<TestRedis | undefined>) {
  let testDatabase: TestDatabase;
  let redis: TestRedis | undefined;
  let database: Database;
  let notifications: Notifications;
  const log: string[] = [];
  const logger = createLogger('trace', { write: (line) => void log.push(line) });
  const opened: { close(): Promise<void> }[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase('migrated');
    redis = await startRedis();
    database = openDatabase(testDatabase.url, 10, logger);
    notifications = new Notifications(testDatabase.url, logger);
    await notifications.start();
    const backend = queueBackend(settings(testDatabase, redis));
    await Promise.all([backend.prepare(), backend.prepare()]);
  });

  afterEach(async () => {
    for (const each of opened.splice(0).reverse()) await each.close();
    await database.query('delete from outbox');
    log.length = 0;
  });

  afterAll(async () => {
    await notifications.stop();
    await database.end();
    await redis?.stop();
    await testDatabase.drop();
  });

  function openJobs(): Jobs {
    const jobs = new Jobs(queueBackend(settings(testDatabase, redis)), logger, PATIENCE);
    opened.push(jobs);
    return jobs;
  }

  async function work(handler: JobHandler<'mail', 'confirm-email'>): Promise<Jobs> {
    const jobs = openJobs();
    handleMail(jobs, handler);
    await jobs.start(['mail']);
    return jobs;
  }

  function openRelay(jobs: Jobs): OutboxRelay {
    const relay = new OutboxRelay(database, notifications, jobs, logger);
    opened.push({ close: () => relay.stop() });
    return relay;
  }

  const wish = (accountId: string) =>
    inTransaction(database, (transaction) =>
      writeToOutbox(transaction, 'mail', 'confirm-email', { accountId }, 'request-1'),
    );

  const waiting = async () => {
    const { rows } = await database.query<{ n: number }>('select count(*)::integer as n from outbox');
    return rows[0]?.n;
  };

  it('does a job that a committed transaction asked for, at once, and tells which request wanted it', async () => {
    const seen: unknown[] = [];
    const jobs = await work(async (data, { correlationId }) => seen.push({ ...data, correlationId }));
    openRelay(jobs).start();
    const accountId = randomUUID();
    const asked = Date.now();
    await wish(accountId);
    await waitFor(() => seen.length > 0);
    // Well below the poll of five seconds: the notification woke the relay.
    expect(Date.now() - asked).toBeLessThan(2000);
    expect(seen).toEqual([{ accountId, correlationId: 'request-1' }]);
    expect(await waiting()).toBe(0);
  });

  it('never hears of what was rolled back', async () => {
    const seen: unknown[] = [];
    const jobs = await work(async (data) => seen.push(data));
    openRelay(jobs).start();
    await expect(
      inTransaction(database, async (transaction) => {
        await writeToOutbox(transaction, 'mail', 'confirm-email', { accountId: randomUUID() }, 'request-1');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const wanted = randomUUID();
    await wish(wanted);
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual([{ accountId: wanted }]);
  });

  it('does a job once though the relay takes its row twice', async () => {
    const seen: string[] = [];
    const jobs = await work(async ({ accountId }) => seen.push(accountId));
    const relay = openRelay(jobs);
    const [first, last] = [randomUUID(), randomUUID()];
    await wish(first);
    const { rows } = await database.query<{ id: string }>('select * from outbox');
    await relay.relay();
    await waitFor(() => seen.includes(first));
    // As after a process died when the job was in the queue, and the row not yet deleted.
    await database.query(
      `insert into outbox (id, queue, job, data) values ($1, 'mail', 'confirm-email', $2)`,
      [rows[0]?.id, JSON.stringify({ accountId: first })],
    );
    await relay.relay();
    await wish(last);
    await relay.relay();
    await waitFor(() => seen.includes(last));
    expect(seen).toEqual([first, last]);
    expect(await waiting()).toBe(0);
  });

  it('takes each of many rows once, with several relays at them', async () => {
    const seen: string[] = [];
    const jobs = await work(async ({ accountId }) => seen.push(accountId));
    const wanted = Array.from({ length: 250 }, () => randomUUID());
    await database.query(
      `insert into outbox (queue, job, data)
       select 'mail', 'confirm-email', jsonb_build_object('accountId', id) from unnest($1::text[]) as id`,
      [wanted],
    );
    await Promise.all([openRelay(jobs), openRelay(jobs), openRelay(jobs)].map((relay) => relay.relay()));
    await waitFor(() => seen.length >= wanted.length, 30_000);
    expect([...seen].sort()).toEqual([...wanted].sort());
  });

  it('leaves a job that only a newer version knows', async () => {
    const jobs = openJobs();
    await database.query(`insert into outbox (queue, job, data) values ('mail', 'of-tomorrow', '{}')`);
    await openRelay(jobs).relay();
    expect(await waiting()).toBe(1);
  });

  it('tries a failed job again, and gives it up in the end', async () => {
    let tries = 0;
    const jobs = await work(async () => {
      tries += 1;
      throw new Error('the other side is away');
    });
    const id = `test-${randomUUID()}`;
    await jobs.add('mail', [{ id, name: 'confirm-email', data: { accountId: randomUUID() } }]);
    await waitFor(() => log.some((line) => line.includes('a job failed for good')));
    expect(tries).toBe(PATIENCE.mail.attempts);
    expect(log.filter((line) => line.includes('is tried again'))).toHaveLength(2);
    expect(await (await jobs.queue('mail').getJob(id))?.getState()).toBe('failed');
  });

  it('keeps what a handler gives, and refuses data that do not hold without trying again', async () => {
    let tries = 0;
    const jobs = await work(async (_data, context) => {
      tries += 1;
      await context.reportProgress(50);
      return { pages: 2 };
    });
    const [good, bad] = [`test-${randomUUID()}`, `test-${randomUUID()}`];
    await jobs.add('mail', [
      { id: bad, name: 'confirm-email', data: { accountId: 'nobody' } },
      { id: good, name: 'confirm-email', data: { accountId: randomUUID() } },
    ]);
    const done = await waitFor(async () => {
      const job = await jobs.queue('mail').getJob(good);
      return job?.returnvalue ? job : undefined;
    });
    expect([done.returnvalue, done.progress]).toEqual([{ pages: 2 }, 50]);
    await waitFor(async () => (await (await jobs.queue('mail').getJob(bad))?.getState()) === 'failed');
    expect(tries).toBe(1);
  });

  it('finishes the job it is at before it closes', async () => {
    let [begun, finished] = [false, false];
    const jobs = await work(async () => {
      begun = true;
      await new Promise((resolve) => setTimeout(resolve, 150));
      finished = true;
    });
    await jobs.add('mail', [{ id: randomUUID(), name: 'confirm-email', data: { accountId: randomUUID() } }]);
    await waitFor(() => begun);
    await jobs.close();
    expect(finished).toBe(true);
  });

  it('repeats a job on one schedule, however many processes ask for it, and once for all that start together', async () => {
    const seen: number[] = [];
    const start = async () => {
      const jobs = openJobs();
      jobs.handle('upkeep', 'sweep-borrows', async () => seen.push(Date.now()));
      jobs.handle('upkeep', 'reconcile-payments', async () => undefined);
      jobs.repeat('upkeep', 'sweep-borrows', {}, 700);
      await jobs.start(['upkeep']);
      return jobs;
    };
    const processes = await Promise.all([start(), start(), start()]);
    await waitFor(() => seen.length >= 4);
    const [first] = processes;
    const schedulers = await first?.queue('upkeep').getJobSchedulers();
    expect(schedulers?.map(({ key, every }) => [key, every])).toEqual([['sweep-borrows', 700]]);
    const done = await waitFor(async () => {
      const jobs = await first?.queue('upkeep').getCompleted();
      return jobs && jobs.length >= 4 && jobs;
    });
    const ids = done.map(({ id }) => id ?? '');
    expect(new Set(ids).size).toBe(ids.length);
    // One round for the start: two only where a minute ended between the starts.
    expect(ids.filter((id) => id.startsWith('sweep-borrows-every')).length).toBeLessThanOrEqual(2);
    await first?.queue('upkeep').removeJobScheduler('sweep-borrows');
  });

  it('does not boot with a job that nobody handles, or two do', async () => {
    await expect(openJobs().start(['mail'])).rejects.toThrow(
      `Nobody handles these jobs: ${Object.keys(JOB_MAP.mail)
        .map((job) => `mail/${job}`)
        .join(', ')}.`,
    );
    const jobs = openJobs();
    jobs.handle('mail', 'confirm-email', async () => undefined);
    expect(() => jobs.handle('mail', 'confirm-email', async () => undefined)).toThrow(
      'The job mail/confirm-email has two handlers.',
    );
  });
}

describe('jobs on PostgreSQL', () => {
  suite(async () => undefined);

  it('leave no connection open when they are closed', async () => {
    const testDatabase = await createTestDatabase('empty');
    const log: string[] = [];
    const logger = createLogger('trace', { write: (line) => void log.push(line) });
    const backend = queueBackend({ DATABASE_URL: testDatabase.url, REDIS_URL: undefined });
    await backend.prepare();
    const jobs = new Jobs(backend, logger, PATIENCE);
    let done = false;
    handleMail(jobs, async () => (done = true));
    await jobs.start(['mail']);
    await jobs.add('mail', [{ id: 'one', name: 'confirm-email', data: { accountId: randomUUID() } }]);
    await waitFor(() => done);
    await jobs.close();
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    await waitFor(async () => {
      const { rows } = await client.query<{ others: number }>(
        `select count(*)::integer as others from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      return rows[0]?.others === 0;
    });
    await client.end();
    await testDatabase.drop();
    expect(log).toEqual([]);
  });

  it('live in a schema of their own', async () => {
    const testDatabase = await createTestDatabase('empty');
    await queueBackend({ DATABASE_URL: testDatabase.url, REDIS_URL: undefined }).prepare();
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    const { rows } = await client.query(
      `select distinct schemaname from pg_tables where schemaname !~ '^pg_' and schemaname <> 'information_schema'`,
    );
    await client.end();
    await testDatabase.drop();
    expect(rows).toEqual([{ schemaname: 'lectern_jobs' }]);
  });
});

// Where redis-server is not installed these are reported as skipped.
(REDIS_INSTALLED ? describe : describe.skip)('jobs on Redis (needs redis-server)', () => {
  it('close though Redis is away', async () => {
    const redis = await startTestRedis();
    const jobs = new Jobs(
      queueBackend({ DATABASE_URL: 'postgres://unused', REDIS_URL: redis.url }),
      createLogger('silent'),
      PATIENCE,
    );
    handleMail(jobs, async () => undefined);
    await jobs.start(['mail']);
    await jobs.queue('mail').waitUntilReady();
    await redis.stop();
    await jobs.close();
  });

  suite(() => startTestRedis());

  it('wait in the outbox while Redis is away', async () => {
    const testDatabase = await createTestDatabase('migrated');
    const redis = await startTestRedis();
    const port = Number(new URL(redis.url).port);
    const logger = createLogger('silent');
    const database = openDatabase(testDatabase.url, 4, logger);
    const notifications = new Notifications(testDatabase.url, logger);
    await notifications.start();
    const jobs = new Jobs(queueBackend(settings(testDatabase, redis)), logger, PATIENCE);
    const relay = new OutboxRelay(database, notifications, jobs, logger);
    const seen: string[] = [];
    handleMail(jobs, async ({ accountId }) => seen.push(accountId));
    await jobs.start(['mail']);
    await relay.relay();
    await redis.stop();
    const accountId = randomUUID();
    await inTransaction(database, (transaction) =>
      writeToOutbox(transaction, 'mail', 'confirm-email', { accountId }, 'request-1'),
    );
    await expect(relay.relay()).rejects.toThrow();
    const again = await startTestRedis(port);
    relay.start();
    await waitFor(() => seen.includes(accountId), 30_000);
    await relay.stop();
    await jobs.close();
    await notifications.stop();
    await database.end();
    await again.stop();
    await testDatabase.drop();
  });
});
