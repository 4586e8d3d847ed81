import { randomUUID } from 'node:crypto';
import type { JobData, JobName, QueueName } from '#platform/jobs/job-map.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { TIMEOUT, waitFor } from '../wait-for.js';

/**
 * Has a running product do a job, through its queue.
 * @returns what the job gave
 * @throws an Error when it failed for good
 */
export async function runJob<Queue extends QueueName, Job extends JobName<Queue>>(
  jobs: Jobs,
  queue: Queue,
  name: Job,
  data: JobData<Queue, Job>,
): Promise<unknown> {
  const id = `test-${randomUUID()}`;
  await jobs.queue(queue).waitUntilReady();
  await jobs.add(queue, [{ id, name, data }]);
  const done = await waitFor(async () => {
    const job = await jobs.queue(queue).getJob(id);
    if (job?.finishedOn === undefined) return undefined;
    if (job.failedReason) throw new Error(`The job failed: ${job.failedReason}`);
    return { result: job.returnvalue as unknown };
  }, 2 * TIMEOUT);
  return done.result;
}
