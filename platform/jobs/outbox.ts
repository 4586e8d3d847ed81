import type { Statements } from '../database/database.js';
import { CHANNELS } from '../database/notifications.js';
import type { JobData, JobName, QueueName } from './job-map.js';

/**
 * Asks for a job as part of a transaction: once that commits, the outbox relay takes the job into its queue;
 * if it rolls back, nobody ever hears of it.
 * @param correlationId the request that asks for it; the job's log lines name it
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
