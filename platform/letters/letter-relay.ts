import type { Database } from '../database/database.js';
import type { Notifications } from '../database/notifications.js';
import { QUEUES_OF_LETTERS, type QueueName } from '../jobs/job-map.js';
import type { Jobs, JobSource } from '../jobs/jobs.js';
import type { Logger } from '../logging.js';
import { within } from '../within.js';
import { LetterLane, type SendBatch } from './letter-lane.js';

/** Below what a server has for closing its parts, with the queues' own time after it. */
const STOP_TIMEOUT_MS = 4000;

/**
 * Sees to the letters that the ledger shows as due, in a lane for each of their queues: a link for a new password
 * never waits behind a thousand letters about borrows.
 */
export class LetterRelay implements JobSource {
  private lanes: LetterLane[] = [];

  constructor(
    private readonly database: Database,
    private readonly notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly send: SendBatch,
    private readonly logger: Logger,
  ) {}

  start(worked: readonly QueueName[]): void {
    const queues = QUEUES_OF_LETTERS.filter((queue) => worked.includes(queue));
    this.lanes = queues.map(
      (queue) => new LetterLane(queue, this.database, this.notifications, this.jobs, this.send, this.logger),
    );
    for (const lane of this.lanes) lane.start();
  }

  /** Waits for the letters on their way, but not for a mail server that keeps silent: they are due again later. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.lanes.map((lane) => lane.stop()));
    await within(STOP_TIMEOUT_MS, stopped, 'The letters on their way took too long.').catch(
      (error: unknown) => this.logger.warn({ error }, 'letters were left on their way'),
    );
  }
}
