import { z } from 'zod';

/** A letter about a borrow. `cause` is what it is sent for, once: an event's id, or a borrow with its due date. */
const letter = z.object({ cause: z.string().min(1), accountId: z.uuid(), borrowId: z.uuid() });

/**
 * Every queue of the product with its jobs, and what each job is told. A job carries ids, never a name, an
 * address or a secret: its worker reads those when it runs.
 */
export const JOB_MAP = {
  mail: {
    /** Sends an account the link that confirms its e-mail address. */
    'confirm-email': z.object({ accountId: z.uuid() }),
    /** Sends an account the link that sets a new password. For an id that nobody has it sends nothing. */
    'reset-password': z.object({ accountId: z.uuid() }),
    /** Tells an account that its password was changed, and when. */
    'password-changed': z.object({ accountId: z.uuid(), changedAt: z.iso.datetime() }),
  },
  /** What the library does by itself, again and again. */
  upkeep: {
    /** Expires what nobody collected, and charges what is late. */
    'sweep-borrows': z.object({}),
    /** Asks the payment provider about payments of which nobody told. */
    'reconcile-payments': z.object({}),
  },
  /** Letters about borrows: a queue of their own, so that a thousand reminders keep no new password waiting. */
  letters: {
    'books-rented': letter,
    'books-issued': letter,
    'due-soon': letter.extend({ dueDate: z.iso.datetime() }),
    'borrow-expired': letter,
    'fee-charged': letter,
    'fee-paid': letter,
    /** Asks for the reminders of borrows that are due soon. */
    'find-due': z.object({}),
  },
  reports: {
    /** Prints a report that somebody asked for. */
    print: z.object({ reportId: z.uuid() }),
    /** Removes reports whose day is over, and gives up those that nobody prints any more. */
    clean: z.object({}),
  },
} as const satisfies Record<string, Record<string, z.ZodType>>;

type JobMap = typeof JOB_MAP;
export type QueueName = keyof JobMap;
export type JobName<Queue extends QueueName> = keyof JobMap[Queue] & string;
export type JobData<
  Queue extends QueueName,
  Job extends JobName<Queue>,
> = JobMap[Queue][Job] extends z.ZodType ? z.output<JobMap[Queue][Job]> : never;

export const QUEUES = Object.keys(JOB_MAP) as QueueName[];

/** How a queue's jobs are worked off. */
export interface QueuePolicy {
  /** Jobs at once, in one process. */
  concurrency: number;
  /** Tries in all before a job counts as failed. */
  attempts: number;
  /** Milliseconds before the second try; doubled before each further one. */
  firstRetryMs: number;
}

export const QUEUE_POLICIES: Record<QueueName, QueuePolicy> = {
  // A mail server that is restarted is back within the seven and a half minutes that this waits in all.
  mail: { concurrency: 4, attempts: 5, firstRetryMs: 30_000 },
  // The next round comes anyhow; the tries are for a database or an event log that is away for a moment.
  upkeep: { concurrency: 2, attempts: 3, firstRetryMs: 5_000 },
  // None of them is urgent: more than an hour without a mail server goes by unnoticed.
  letters: { concurrency: 4, attempts: 8, firstRetryMs: 30_000 },
  // One browser at a time: it takes a processor and some hundred megabytes. Somebody is waiting.
  reports: { concurrency: 1, attempts: 3, firstRetryMs: 1_000 },
};

/** The schemas of a queue's jobs, by the jobs' names. */
export function jobsOf(queue: QueueName): Map<string, z.ZodType> {
  return new Map<string, z.ZodType>(Object.entries(JOB_MAP[queue]));
}
