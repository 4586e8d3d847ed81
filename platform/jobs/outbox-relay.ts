import { z } from 'zod';
import { inTransaction, type Connection, type Database } from '../database/database.js';
import type { Notifications } from '../database/notifications.js';
import { queryRows } from '../database/query-rows.js';
import type { Logger } from '../logging.js';
import { jobsOf, QUEUES } from './job-map.js';
import type { Jobs } from './jobs.js';

const outboxRow = z.object({
  id: z.string(),
  queue: z.enum(QUEUES),
  job: z.string(),
  data: z.unknown(),
  correlation_id: z.string().nullable(),
});

const BATCH = 100;
/** Polling interval, in case a notification was missed or the queue was unreachable. */
const POLL_MS = 5000;

/**
 * Moves jobs from the outbox into their queues. A row is deleted only after its job is in the queue, so none is lost.
 * If the process dies in between, the row is moved again, and the queue recognises the job by its id. Any number of
 * processes may do this at once.
 */
export class OutboxRelay {
  private running: Promise<void> | undefined;
  private again = false;
  private stopped = true;
  private poll: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopped = false;
    this.notifications.on('outbox', this.wake);
    this.notifications.on('gap', this.wake);
    this.poll = setInterval(this.wake, POLL_MS);
    this.wake();
  }

  /** Waits for the current batch. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.notifications.off('outbox', this.wake);
    this.notifications.off('gap', this.wake);
    clearInterval(this.poll);
    await this.running;
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

  private readonly wake = (): void => {
    if (this.stopped) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.relay()
      .catch((error: unknown) => this.logger.warn({ error }, 'the outbox waits: its queue is out of reach'))
      .finally(() => {
        this.running = undefined;
        if (!this.again) return;
        this.again = false;
        this.wake();
      });
  };
}

const KNOWN_JOBS = QUEUES.flatMap((queue) => [...jobsOf(queue).keys()].map((job) => `${queue}/${job}`));
