import type { Database } from '#platform/database/database.js';
import type { Notifications } from '#platform/database/notifications.js';
import { LETTER_QUEUES, type QueueName } from '#platform/jobs/job-map.js';
import type { Jobs, JobSource } from '#platform/jobs/jobs.js';
import type { Logger } from '#platform/logging.js';
import { withTimeout } from '#platform/with-timeout.js';
import { LetterQueueWorker, type SendBatch } from './letter-queue-worker.js';

/** Below what a server has for closing its parts, with the queues' own time after it. */
const STOP_TIMEOUT_MS = 4000;

/**
 * Sees to the letters that the ledger shows as due, in a lane for each of their queues: a link for a new password
 * never waits behind a thousand letters about borrows.
 */
export class LetterRelay implements JobSource {
  private lanes: LetterQueueWorker[] = [];

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly send: SendBatch,
    private readonly logger: Logger,
  ) {}

  start(worked: readonly QueueName[]): void {
    const queues = LETTER_QUEUES.filter((queue) => worked.includes(queue));
    this.lanes = queues.map(
      (queue) =>
        new LetterQueueWorker(queue, this.database, this.notifications, this.jobs, this.send, this.logger),
    );
    for (const lane of this.lanes) lane.start();
  }

  /** Waits for the letters on their way, but not for a mail server that keeps silent: they are due again later. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.lanes.map((lane) => lane.stop()));
    await withTimeout(STOP_TIMEOUT_MS, stopped, 'The letters on their way took too long.').catch(
      (error: unknown) => this.logger.warn({ error }, 'letters were left on their way'),
    );
  }
}
