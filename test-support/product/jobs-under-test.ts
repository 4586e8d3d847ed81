import { z } from 'zod';
import { openDatabase, inTransaction, type Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { JOB_MAP, type JobName, type QueueName } from '#platform/jobs/job-map.js';
import { Jobs, type JobHandler } from '#platform/jobs/jobs.js';
import { OutboxRelay, writeToOutbox } from '#platform/jobs/outbox.js';
import { queueBackend } from '#platform/jobs/queue-backend.js';
import type { SendBatch } from '#letters/letter-queue-worker.js';
import { LetterRelay } from '#letters/letter-relay.js';
import { createLogger } from '#platform/logging.js';
import { readSettings } from '#platform/settings.js';
import { createTestDatabase, type TestDatabase } from '../database/database.js';

const QUICK = { concurrency: 2, attempts: 3, firstRetryMs: 20 };
/** How the queues of these tests are worked off. */
export const TIMEOUT = { mail: QUICK, upkeep: QUICK };

/** Every job of the queue has to have a handler; these tests are about one of them. */
export function handleMail(jobs: Jobs, handler: JobHandler<'mail', 'confirm-email'>): void {
  jobs.handle('mail', 'confirm-email', handler);
  handleOthers(jobs, 'mail', ['confirm-email']);
}

/** Does nothing for the jobs of a queue that a test is not about. */
export function handleOthers<Queue extends QueueName>(
  jobs: Jobs,
  queue: Queue,
  handled: readonly JobName<Queue>[],
): void {
  for (const job of Object.keys(JOB_MAP[queue]) as JobName<Queue>[]) {
    if (!handled.includes(job)) jobs.handle(queue, job, async () => undefined);
  }
}

/** Job queues with an outbox before them, on a database of their own, and whatever opens them. */
export class JobsUnderTest {
  readonly log: string[] = [];
  private readonly logger = createLogger('trace', { write: (line) => void this.log.push(line) });
  private readonly opened: { close(): Promise<void> }[] = [];
  private notifications!: Notifications;
  database!: Database;

  private constructor(
    private readonly testDatabase: TestDatabase,
    private readonly redis: NodeJS.ProcessEnv,
  ) {}

  /** @param redis the variables that lead to the queues; without them they are in the database */
  static async start(redis: NodeJS.ProcessEnv = {}): Promise<JobsUnderTest> {
    const started = new JobsUnderTest(await createTestDatabase('migrated'), redis);
    const { testDatabase, logger } = started;
    started.database = openDatabase(testDatabase.url, 10, logger);
    started.notifications = new Notifications(testDatabase.url, logger);
    await started.notifications.start();
    const backends = [started.backend(), started.backend()];
    await Promise.all(backends.map((backend) => backend.prepare()));
    await Promise.all(backends.map((backend) => backend.close()));
    return started;
  }

  /** The queues as one process has them. */
  openJobs(): Jobs {
    const jobs = new Jobs(this.backend(), this.logger, { policies: TIMEOUT });
    this.opened.push(jobs);
    return jobs;
  }

  /** A process that works on the queue `mail`. */
  async work(handler: JobHandler<'mail', 'confirm-email'>): Promise<Jobs> {
    const jobs = this.openJobs();
    handleMail(jobs, handler);
    await jobs.start(['mail']);
    return jobs;
  }

  openRelay(jobs: Jobs, pollMs?: number): OutboxRelay {
    const relay = new OutboxRelay(this.database, this.notifications, jobs, this.logger, pollMs);
    this.opened.push({ close: () => relay.stop() });
    return relay;
  }

  /** @param send sends a batch */
  openLetterRelay(jobs: Jobs, send: SendBatch): LetterRelay {
    const relay = new LetterRelay(this.database, this.notifications, jobs, send, this.logger);
    this.opened.push({ close: () => relay.stop() });
    return relay;
  }

  /** A committed transaction that asks for a letter. */
  wish(accountId: string): Promise<void> {
    return inTransaction(this.database, (transaction) =>
      writeToOutbox(transaction, 'mail', 'confirm-email', { accountId, cause: accountId }, 'request-1'),
    );
  }

  /** How many jobs wait in the outbox. */
  async waiting(): Promise<number | undefined> {
    const { rows } = await this.database.query('select count(*)::integer as n from outbox');
    return z.int().parse(rows[0].n);
  }

  /** Closes what was opened, and forgets what was logged. */
  async reset(): Promise<void> {
    for (const each of this.opened.splice(0).reverse()) await each.close();
    await this.database.query('delete from outbox');
    this.log.length = 0;
  }

  async stop(): Promise<void> {
    await this.notifications.stop();
    await this.database.end();
    await this.testDatabase.drop();
  }

  private backend() {
    return queueBackend({ ...readSettings(this.redis), DATABASE_URL: this.testDatabase.url });
  }
}
