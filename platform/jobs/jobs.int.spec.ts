import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createTestDatabase } from '../../test-support/database/database.js';
import {
  handleMail,
  handleOthers,
  JobsUnderTest,
  TIMEOUT,
} from '../../test-support/product/jobs-under-test.js';
import {
  REDIS_INSTALLED,
  startTestRedis,
  TestCluster,
  TestSentinel,
  type TestRedis,
} from '../../test-support/installation/redis.js';
import { shared } from '../../test-support/shared.js';
import { waitFor } from '../../test-support/wait-for.js';
import { inTransaction } from '../database/database.js';
import { createLogger } from '../logging.js';
import { JOB_MAP, jobsOf, QUEUES } from './job-map.js';
import { Jobs } from './jobs.js';
import { writeToOutbox } from './outbox.js';
import { queueBackend } from './queue-backend.js';

const SOMEBODY = randomUUID();
/** A job of each queue. */
const SAMPLE = {
  mail: { name: 'confirm-email', data: { accountId: SOMEBODY, cause: 'asked' } } as const,
  upkeep: { name: 'count-loans', data: {} },
  letters: { name: 'find-due', data: {} },
  reports: { name: 'clean', data: {} },
  imports: { name: 'run', data: { importId: SOMEBODY } },
};

/** Milliseconds, as many as a timer takes. */
const NEVER = 2 ** 31 - 1;

function queuesOn(startRedis: () => Promise<TestRedis | undefined>): { under: JobsUnderTest } {
  const redis = shared(
    async () => ({ started: await startRedis() }),
    ({ started }) => started?.stop(),
  );
  const under = shared(() => JobsUnderTest.start(redis.started?.environment));
  afterEach(() => under.reset());
  return { under };
}

/** Holds for PostgreSQL and for every kind of Redis. */
function working(under: JobsUnderTest) {
  it('does a job that a committed transaction asked for, at once, and tells which request wanted it', async () => {
    const seen: unknown[] = [];
    const jobs = await under.work(async (data, { correlationId }) => seen.push({ ...data, correlationId }));
    // One that never looks by itself, but for once at its start: the notification wakes it.
    under.openRelay(jobs, NEVER).start();
    const wanted = [randomUUID(), randomUUID()];
    for (const [at, accountId] of wanted.entries()) {
      await under.wish(accountId);
      await waitFor(() => seen.length > at);
    }
    expect(seen).toEqual(
      wanted.map((accountId) => ({ accountId, cause: accountId, correlationId: 'request-1' })),
    );
    // A worker may be quicker than the relay's own commit.
    await waitFor(async () => (await under.waiting()) === 0);
  });

  it('does a job once though the relay takes its row twice', async () => {
    const seen: string[] = [];
    const jobs = await under.work(async ({ accountId }) => seen.push(accountId));
    const relay = under.openRelay(jobs);
    const [first, last] = [randomUUID(), randomUUID()];
    await under.wish(first);
    const { rows } = await under.database.query<{ id: string }>('select * from outbox');
    await relay.relay();
    await waitFor(() => seen.includes(first));
    // As after a process died when the job was in the queue, and the row not yet deleted.
    await under.database.query(
      `insert into outbox (id, queue, job, data) values ($1, 'mail', 'confirm-email', $2)`,
      [rows[0]?.id, JSON.stringify({ accountId: first, cause: first })],
    );
    await relay.relay();
    await under.wish(last);
    await relay.relay();
    await waitFor(() => seen.includes(last));
    expect(seen).toEqual([first, last]);
    expect(await under.waiting()).toBe(0);
  });

  it('tries a failed job again, and gives it up in the end', async () => {
    let tries = 0;
    const jobs = await under.work(async () => {
      tries += 1;
      throw new Error('the other side is away');
    });
    const id = `test-${randomUUID()}`;
    await jobs.add('mail', [{ id, ...SAMPLE.mail }]);
    await waitFor(() => under.log.some((line) => line.includes('a job failed for good')));
    expect(tries).toBe(TIMEOUT.mail.attempts);
    expect(under.log.filter((line) => line.includes('is tried again'))).toHaveLength(2);
    expect(await (await jobs.queue('mail').getJob(id))?.getState()).toBe('failed');
    expect((await jobs.depths()).get('mail')).toMatchObject({ waiting: 0, active: 0, failed: 1 });
  });

  it('repeats a job on one schedule, however many processes ask for it, and once for all that start together', async () => {
    const seen: number[] = [];
    const start = async () => {
      const jobs = under.openJobs();
      jobs.repeat('upkeep', 'sweep-borrows', 300, async () => seen.push(Date.now()));
      handleOthers(jobs, 'upkeep', ['sweep-borrows']);
      await jobs.start(['upkeep']);
      return jobs;
    };
    const processes = await Promise.all([start(), start(), start()]);
    await waitFor(() => seen.length >= 4);
    const [first] = processes;
    const schedulers = await first?.queue('upkeep').getJobSchedulers();
    expect(schedulers?.map(({ key, every }) => [key, every])).toEqual([['sweep-borrows', 300]]);
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
}

/** Holds for PostgreSQL and for one Redis: the number of servers makes no difference. */
function suite(under: JobsUnderTest) {
  working(under);

  it('keeps what a handler gives, and refuses data that do not hold without trying again', async () => {
    let tries = 0;
    const jobs = await under.work(async (_data, context) => {
      tries += 1;
      await context.reportProgress(50);
      return { pages: 2 };
    });
    const [good, bad] = [`test-${randomUUID()}`, `test-${randomUUID()}`];
    await jobs.add('mail', [
      { id: bad, name: 'confirm-email', data: { accountId: 'nobody', cause: 'asked' } },
      { id: good, ...SAMPLE.mail },
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
    const jobs = await under.work(async () => {
      begun = true;
      await new Promise((resolve) => setTimeout(resolve, 150));
      finished = true;
    });
    await jobs.add('mail', [{ id: randomUUID(), ...SAMPLE.mail }]);
    await waitFor(() => begun);
    await jobs.close();
    expect(finished).toBe(true);
  });

  it('begins a new schedule with one round, and goes on with it after an interval', async () => {
    const jobs = under.openJobs();
    jobs.repeat('upkeep', 'count-loans', 3_600_000, async () => undefined);
    handleOthers(jobs, 'upkeep', ['count-loans']);
    await jobs.start(['upkeep']);
    const queue = jobs.queue('upkeep');
    const done = await waitFor(async () => {
      const completed = (await queue.getCompleted()).filter(({ name }) => name === 'count-loans');
      return completed.length > 0 && completed;
    });
    expect(done.map(({ id }) => id?.replace(/\d+$/, ''))).toEqual(['count-loans-every-3600000-']);
    expect(await queue.getJobCounts('waiting', 'active', 'delayed')).toEqual({
      waiting: 0,
      active: 0,
      delayed: 1,
    });
    const [next] = await queue.getDelayed();
    expect(next?.delay).toBeGreaterThan(3_500_000);
    await queue.removeJobScheduler('count-loans');
  });
}

describe('jobs on PostgreSQL', () => {
  const { under } = queuesOn(async () => undefined);
  suite(under);

  // With Redis as well: the outbox and the start know of no queues.
  it('never hears of what was rolled back', async () => {
    const seen: unknown[] = [];
    const jobs = await under.work(async (data) => seen.push(data));
    under.openRelay(jobs).start();
    await expect(
      inTransaction(under.database, async (transaction) => {
        await writeToOutbox(transaction, 'mail', 'confirm-email', SAMPLE.mail.data, 'request-1');
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    const wanted = randomUUID();
    await under.wish(wanted);
    await waitFor(() => seen.length > 0);
    expect(seen).toEqual([{ accountId: wanted, cause: wanted }]);
  });

  it('takes each of many rows once, with several relays at them', async () => {
    const seen: string[] = [];
    const jobs = await under.work(async ({ accountId }) => seen.push(accountId));
    const wanted = Array.from({ length: 250 }, () => randomUUID());
    await under.database.query(
      `insert into outbox (queue, job, data)
       select 'mail', 'confirm-email', jsonb_build_object('accountId', id, 'cause', id) from unnest($1::text[]) as id`,
      [wanted],
    );
    await Promise.all(
      [under.openRelay(jobs), under.openRelay(jobs), under.openRelay(jobs)].map((relay) => relay.relay()),
    );
    await waitFor(() => seen.length >= wanted.length);
    expect([...seen].sort()).toEqual([...wanted].sort());
  });

  it('leaves a job that only a newer version knows', async () => {
    const jobs = under.openJobs();
    await under.database.query(`insert into outbox (queue, job, data) values ('mail', 'of-tomorrow', '{}')`);
    await under.openRelay(jobs).relay();
    expect(await under.waiting()).toBe(1);
  });

  it('does not boot with a job that nobody handles, or two do', async () => {
    await expect(under.openJobs().start(['mail'])).rejects.toThrow(
      `Nobody handles these jobs: ${Object.keys(JOB_MAP.mail)
        .map((job) => `mail/${job}`)
        .join(', ')}.`,
    );
    const jobs = under.openJobs();
    jobs.handle('mail', 'confirm-email', async () => undefined);
    expect(() => jobs.handle('mail', 'confirm-email', async () => undefined)).toThrow(
      'The job mail/confirm-email has two handlers.',
    );
  });

  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });
  /** Queues on a database of their own, and a connection that looks at it. */
  async function open(schema: 'empty' | 'migrated') {
    const testDatabase = await createTestDatabase(schema);
    const client = new pg.Client({ connectionString: testDatabase.url });
    await client.connect();
    closers.push(
      () => client.end(),
      () => testDatabase.drop(),
    );
    return { client, backend: queueBackend({ DATABASE_URL: testDatabase.url, REDIS_URL: undefined }) };
  }
  const OTHERS = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

  it('live in a schema of their own, and leave no connection open when they are closed', async () => {
    const { client, backend } = await open('empty');
    const log: string[] = [];
    const logger = createLogger('trace', { write: (line) => void log.push(line) });
    await backend.prepare();
    const jobs = new Jobs(backend, logger, { policies: TIMEOUT });
    let done = false;
    handleMail(jobs, async () => (done = true));
    await jobs.start(['mail']);
    await jobs.add('mail', [{ id: 'one', ...SAMPLE.mail }]);
    await waitFor(() => done);
    await jobs.close();
    await waitFor(async () => (await client.query(`select ${OTHERS}`)).rowCount === 0);
    expect(log).toEqual([]);
    const { rows } = await client.query(
      `select distinct schemaname from pg_tables where schemaname !~ '^pg_' and schemaname <> 'information_schema'`,
    );
    expect(rows).toEqual([{ schemaname: 'lectern_jobs' }]);
  });

  it('share their connections in a process, which still tells which queues it works off', async () => {
    const { client, backend } = await open('migrated');
    const jobs = new Jobs(backend, createLogger('silent'), { policies: TIMEOUT });
    const done: string[] = [];
    for (const queue of QUEUES) {
      for (const job of jobsOf(queue).keys()) {
        jobs.handle(queue, job as never, async (_data, { jobId }) => done.push(`${queue} ${jobId}`));
      }
    }
    await jobs.start(QUEUES);
    await Promise.all(QUEUES.map((queue) => jobs.add(queue, [{ id: 'one', ...SAMPLE[queue] }])));
    await waitFor(() => done.length === QUEUES.length);
    expect(done.sort()).toEqual(QUEUES.map((queue) => `${queue} one`).sort());
    const { rows } = await client.query(`select application_name as name, pid ${OTHERS}`);
    // Five for statements, one that listens.
    expect(rows.length).toBeLessThanOrEqual(6);
    const named = rows.filter(({ name }) => name !== '');
    expect(named.map(({ name }) => name)).toEqual(['imports+letters+mail+reports+upkeep']);
    const workers = () => Promise.all(QUEUES.map((queue) => jobs.queue(queue).getWorkersCount()));
    expect(await workers()).toEqual(QUEUES.map(() => 1));
    // What listens is cut off: it is made anew, and jobs are heard of again.
    await client.query('select pg_terminate_backend($1)', [named[0].pid]);
    await jobs.add('mail', [{ id: 'two', ...SAMPLE.mail }]);
    await waitFor(() => done.includes('mail two'));
    await waitFor(async () => (await jobs.queue('mail').getWorkersCount()) === 1);
    await jobs.close();
  });
});

// Where redis-server is not installed these are reported as skipped.
const describeRedis = REDIS_INSTALLED ? describe : describe.skip;

describeRedis('jobs on Redis (needs redis-server)', () => suite(queuesOn(() => startTestRedis()).under));

describeRedis('jobs on a Redis behind Sentinels (needs redis-server)', () =>
  working(queuesOn(() => TestSentinel.start()).under),
);

describeRedis('jobs on a cluster of Redis (needs redis-server)', () =>
  working(queuesOn(() => TestCluster.start()).under),
);
