import type { Statements } from '../database/database.js';
import { CHANNELS } from '../database/notifications.js';
import type { JobData, JobName, QueueName } from './job-map.js';

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
