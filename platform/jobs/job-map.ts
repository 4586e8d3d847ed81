import { z } from 'zod';

/**
 * Every queue of the product with its jobs, and what each job is told. A job carries ids, never a name, an
 * address or a secret: its worker reads those when it runs.
 */
export const JOB_MAP = {
  mail: {
    /** Sends an account the link that confirms its e-mail address. */
    'confirm-email': z.object({ accountId: z.uuid() }),
  },
} as const satisfies Record<string, Record<string, z.ZodType>>;

type JobMap = typeof JOB_MAP;
export type QueueName = keyof JobMap;
export type JobName<Queue extends QueueName> = keyof JobMap[Queue] & string;
export type JobData<
  Queue extends QueueName,
  Job extends JobName<Queue>,
> = JobMap[Queue][Job] extends z.ZodType ? z.output<JobMap[Queue][Job]> : never;

/** The schema of a job's data, or undefined when there is no such job. */
export function jobSchema(queue: string, job: string): z.ZodType | undefined {
  const jobs: Record<string, z.ZodType> | undefined = Object.hasOwn(JOB_MAP, queue)
    ? JOB_MAP[queue as QueueName]
    : undefined;
  return jobs && Object.hasOwn(jobs, job) ? jobs[job] : undefined;
}
