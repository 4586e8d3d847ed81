import { z } from 'zod';
import { partFactsSchema, partSchema, reasonSchema } from '#contracts/dashboard/system-status.js';

/** A letter to an account. `cause` identifies it in the ledger. */
const accountLetter = z.object({ accountId: z.uuid(), cause: z.string().min(1) });

/** A letter to an admin about a part of the installation. */
const aboutPart = accountLetter.extend({ part: partSchema, since: z.iso.datetime() });

/** A letter about a borrow. `cause` identifies it: an event's id, or a borrow with its due date. */
const letter = z.object({ cause: z.string().min(1), accountId: z.uuid(), borrowId: z.uuid() });

/**
 * Every queue of the product with its jobs and their data. A job carries ids, never a name, an address or a secret: its
 * worker reads those when it runs.
 */
export const JOB_MAP = {
  mail: {
    /** Sends an account the link that confirms its email address. */
    'confirm-email': accountLetter,
    /** Sends an account a link to set a new password. For an unknown id it sends nothing. */
    'reset-password': accountLetter,
    /** Invites somebody who was registered at the desk to choose a password, by a link. */
    invitation: accountLetter,
    /** Notifies an account of its changed password, with the time. */
    'password-changed': accountLetter.extend({
      changedAt: z.iso.datetime(),
      /** Its owner changed it themselves, and is signed out elsewhere alone. */
      elsewhere: z.boolean().optional(),
    }),
    /** Notifies an account of a change of its second factor. */
    'second-factor-changed': accountLetter.extend({
      change: z.enum([
        'code-app-added',
        'code-app-removed',
        'passkey-added',
        'passkey-removed',
        'recovery-codes-renewed',
        'recovery-code-used',
        'reset',
      ]),
      at: z.iso.datetime(),
    }),
    /** Tells an account's owner that somebody guesses their password, or, knowing it, their codes. For an unknown id it sends nothing. */
    'guessed-at': accountLetter.extend({
      at: z.iso.datetime(),
      secret: z.enum(['password', 'code']).default('password'),
    }),
    /** Tells an admin that a part of the installation has not been well for a while. */
    'part-not-well': aboutPart.extend({ reason: reasonSchema.nullable(), facts: partFactsSchema }),
    /** Tells an admin that it is well again. */
    'part-well-again': aboutPart.extend({ until: z.iso.datetime() }),
  },
  /** Scheduled jobs. */
  upkeep: {
    /** Expires borrows that were not collected, and charges late ones. */
    'sweep-borrows': z.object({}),
    /** Asks the payment provider about pending payments. */
    'reconcile-payments': z.object({}),
    /** Has reports printed again whose jobs were lost. */
    'find-lost-reports': z.object({}),
    /** Deletes remembered refusals that no longer count. */
    'forget-refusals': z.object({}),
    /** Deletes accounts whose address nobody has confirmed for a day. */
    'forget-unconfirmed': z.object({}),
    /** Asks for the next letters to readers who were imported and are invited in batches. */
    'invite-readers': z.object({}),
    /** Deletes what rows of imports say of people, a week later. */
    'forget-reader-rows': z.object({}),
    /** Counts how often each book was handed over. */
    'count-loans': z.object({}),
    /** Fills the shelves of the home page, and counts what readers of a book also borrowed. */
    'fill-shelves': z.object({}),
    /** Deletes the scans of stock-takings that were finished long ago. */
    'close-stock-takings': z.object({}),
    /** Follows the sets of records that others offer: this one, or all that were not yet followed today. */
    harvest: z.object({ sourceId: z.uuid().optional() }),
  },
  /** Letters about borrows: a separate queue, so that a thousand reminders delay no password link. */
  letters: {
    'books-rented': letter,
    'books-issued': letter,
    'due-soon': letter.extend({ dueDate: z.iso.datetime() }),
    'borrow-expired': letter,
    'fee-charged': letter,
    'fee-paid': letter,
    'rent-cancelled': letter,
    'issue-undone': letter,
    'payment-undone': letter,
    'loss-charged': letter,
    'loss-found': letter,
    'loss-undone': letter,
    'refund-paid': letter,
    'finding-undone': letter,
    'refund-undone': letter,
    /** About holds: their ids stand in the place of a borrow's. */
    'hold-cancelled': letter,
    'hold-not-needed': letter,
    /** What was done for a reader at the desk in one visit: the revisions of its first and its last event in the reader's stream. */
    visit: accountLetter.extend({ from: z.int().min(0), until: z.int().min(0) }),
    /** Enqueues reminders of borrows that are due soon. */
    'find-due': z.object({}),
  },
  reports: {
    /** Prints a requested report. */
    print: z.object({ reportId: z.uuid() }),
    /** Deletes expired reports, and fails those that nobody prints any more. */
    clean: z.object({}),
  },
  imports: {
    /** Does what is chosen of an import of records. */
    run: z.object({ importId: z.uuid() }),
    /** Undoes it. */
    undo: z.object({ importId: z.uuid() }),
    /** Does what a file of readers, memberships or loans says. */
    readers: z.object({ importId: z.uuid() }),
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

/** Without a mail server nobody works them off: the letters wait until there is one. */
export const LETTER_QUEUES: readonly QueueName[] = ['mail', 'letters'];

/** The queues that a process with these settings can work off. */
export function processableQueues({ SMTP_URL }: { SMTP_URL?: string | undefined }): QueueName[] {
  return QUEUES.filter((queue) => SMTP_URL !== undefined || !LETTER_QUEUES.includes(queue));
}

/** How a queue's jobs are processed. */
export interface QueuePolicy {
  /** Concurrent jobs in one process. */
  concurrency: number;
  /** Attempts before a job counts as failed. */
  attempts: number;
  /** Milliseconds before the first retry; doubled before each further one. */
  firstRetryMs: number;
  /** Milliseconds between the beginnings of two batches of letters: what comes meanwhile goes out together. */
  gatherMs?: number;
}

export const QUEUE_POLICIES: Record<QueueName, QueuePolicy> = {
  // The retries wait seven and a half minutes in all: enough for a restart of the mail server.
  mail: { concurrency: 4, attempts: 5, firstRetryMs: 30_000 },
  // The next round comes anyhow; retries cover a database or an event log that is briefly unavailable.
  upkeep: { concurrency: 2, attempts: 3, firstRetryMs: 5_000 },
  // Not urgent: the retries survive more than an hour without a mail server.
  letters: { concurrency: 4, attempts: 8, firstRetryMs: 30_000, gatherMs: 500 },
  // One browser at a time: it takes a processor and some hundred megabytes. A person waits for it.
  reports: { concurrency: 1, attempts: 3, firstRetryMs: 1_000 },
  // Two at once would wait for each other's books.
  imports: { concurrency: 1, attempts: 5, firstRetryMs: 2_000 },
};

/** The schemas of a queue's jobs, by the jobs' names. */
export function jobsOf(queue: QueueName): Map<string, z.ZodType> {
  return new Map<string, z.ZodType>(Object.entries(JOB_MAP[queue]));
}
