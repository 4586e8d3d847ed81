import { z } from 'zod';
import { call } from '../call.js';

/** More than a release has. */
export const MAX_QUEUES = 50;

/** How much work lies in the job queues. */
const queueCountsSchema = z.object({
  name: z.string(),
  /** Asked for, and not yet in the queue: more than a few while the queue is out of reach. */
  outbox: z.int().min(0),
  /** In the queue; with the letters that are due in the ledger. */
  waiting: z.int().min(0),
  active: z.int().min(0),
  /** Waiting for their time: the next try, or the next round. */
  delayed: z.int().min(0),
  /** Given up after all attempts; each can be tried again on the queues' page. */
  failed: z.int().min(0),
  completed: z.int().min(0),
  paused: z.boolean(),
  /** Nobody works it off: its letters wait until the installation has a mail server. */
  needsMailServer: z.boolean(),
});
const queuesViewSchema = z.array(queueCountsSchema).max(MAX_QUEUES);
export type QueuesView = z.infer<typeof queuesViewSchema>;

const queuesPassSchema = z.object({
  /** Where to go, in a tab of its own. */
  url: z.string(),
  /** Until when the page opens. */
  expiresAt: z.iso.datetime(),
});
export type QueuesPassView = z.infer<typeof queuesPassSchema>;

export const readQueues = call('GET Dashboard/queues', { may: ['system'], answer: queuesViewSchema });

/** Sets the cookie that opens the page of the queues. */
export const openQueues = call('POST Dashboard/queues-pass', { may: ['system'], answer: queuesPassSchema });
