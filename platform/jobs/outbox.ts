import { inTransaction, type Connection, type Database, type Statements } from '../database/database.js';
import { CHANNELS, type Notifications } from '../database/notifications.js';
import { jobsOf, QUEUES, type JobData, type JobName, type QueueName } from './job-map.js';
import { z } from 'zod';
import { queryRows } from '../database/query-rows.js';
import type { Logger } from '../logging.js';
import type { Jobs } from './jobs.js';
import { POLL_MS, NotifiedWorker } from './notified-worker.js';

/**
 * Enqueues a job as part of a transaction: after the commit, the outbox relay moves it into its queue; a rollback
 * discards it.
 * @param correlationId of the request; the job's log lines name it
 */
export async function writeToOutbox<Queue extends QueueName, Job extends JobName<Queue>>(
  transaction: Statements,
  queue: Queue,
  job: Job,
  data: JobData<Queue, Job>,
  correlationId: string,
): Promise<void> {
  await transaction.query(
    `with written as (
       insert into outbox (queue, job, data, correlation_id) values ($1, $2, $3, $4) returning id
     ) select pg_notify($5, '') from written`,
    [queue, job, JSON.stringify(data), correlationId, CHANNELS.outbox],
  );
}

const outboxRow = z.object({
  id: z.string(),
  queue: z.enum(QUEUES),
  job: z.string(),
  data: z.unknown(),
  correlation_id: z.string().nullable(),
});

const BATCH = 100;

/**
 * Moves jobs from the outbox into their queues. A row is deleted only after its job is in the queue, so none is lost.
 * If the process dies in between, the row is moved again, and the queue recognises the job by its id. Any number of
 * processes may do this at once.
 */
export class OutboxRelay {
  private readonly work: NotifiedWorker;

  /** @param pollMs milliseconds after which it looks again though nobody told it to */
  constructor(
    private readonly database: Database,
    notifications: Notifications,
    private readonly jobs: Jobs,
    logger: Logger,
    pollMs = POLL_MS,
  ) {
    const work = async () => {
      await this.relay();
      return pollMs;
    };
    this.work = new NotifiedWorker(notifications, 'outbox', work, (error) =>
      logger.warn({ error }, 'the outbox waits: its queue is out of reach'),
    );
  }

  start(): void {
    this.work.start();
  }

  /** Waits for the current batch. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  /** Empties the outbox now, except for rows that another process is moving. */
  async relay(): Promise<void> {
    while ((await inTransaction(this.database, (transaction) => this.relayBatch(transaction))) === BATCH);
  }

  private async relayBatch(transaction: Connection): Promise<number> {
    const rows = await queryRows(
      transaction,
      outboxRow,
      // A job of a newer release is left to a process of that release.
      `delete from outbox where id in (
         select id from outbox where queue || '/' || job = any($1)
         order by created limit $2 for update skip locked
       ) returning id, queue, job, data, correlation_id`,
      [KNOWN_JOBS, BATCH],
    );
    for (const queue of QUEUES) {
      const jobs = rows
        .filter((row) => row.queue === queue)
        .map((row) => ({
          id: `outbox-${row.id}`,
          name: row.job,
          data: row.data,
          correlationId: row.correlation_id ?? undefined,
        }));
      if (jobs.length > 0) await this.jobs.add(queue, jobs);
    }
    return rows.length;
  }
}

const KNOWN_JOBS = QUEUES.flatMap((queue) => [...jobsOf(queue).keys()].map((job) => `${queue}/${job}`));
