import type { Database } from '../database/database.js';
import type { Notifications } from '../database/notifications.js';
import { QUEUES_OF_LETTERS, type QueueName } from '../jobs/job-map.js';
import type { Jobs, JobSource } from '../jobs/jobs.js';
import type { Logger } from '../logging.js';
import { LetterLane, type SendBatch } from './letter-lane.js';

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

  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()));
  }
}
