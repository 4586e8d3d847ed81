import { z } from 'zod';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import type { Notifications } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { QueueName } from '#platform/jobs/job-map.js';
import type { Jobs } from '#platform/jobs/jobs.js';
import { POLL_MS, NotifiedWorker } from '#platform/jobs/notified-worker.js';
import type { Logger } from '#platform/logging.js';
import { DUE_LETTER_COLUMNS, dueLetter, IS_UNCLAIMED, KNOWN_KINDS } from './due-letter.js';
import { letterId } from './notification-request.js';

/** Letters that get a job of their own in one transaction, at most. */
const BATCH = 100;

/** Letters that have a job of their own at once, at most; the others wait in the ledger. */
const IN_HAND = 200;

/**
 * Seconds after which a letter that no job has begun with counts as forgotten by its queue: well above what `IN_HAND`
 * letters take. Doubled each time, so that a queue that is only slow or paused does not fill up.
 */
const FORGOTTEN_AFTER_SECONDS = 60;

/** Pause while there is more than jobs may have in hand; and the longest time in which a lane sends without looking about. */
const BEHIND_MS = 1000;

/** What became of a batch: there were more letters than it took, there were not, or the mail server is away. */
export type BatchOutcome = 'full' | 'all' | 'away';

export interface BatchOrder {
  /** How many letters there were when somebody last looked. */
  due: number;
  /** Asked before each letter. */
  isStopping: () => boolean;
}

/** Sends letters of a queue that nobody had in hand yet: one batch, or what could be sent of it when it was to stop. */
export type SendBatch = (queue: QueueName, order: BatchOrder) => Promise<BatchOutcome>;

const laneRow = z.object({
  /** Due, and to be sent in a batch. */
  fresh: z.int(),
  /** Due, and to get a job of its own. */
  troubled: z.int(),
  /** Until the next one is due. */
  ms: z.number().nullable(),
});

/**
 * Sees to the letters of one queue that the ledger shows as due. Those that nobody had in hand yet are sent here, in
 * batches. Any other, be it that it could not be sent or that its process died, gets a job of its own, with tries and
 * pauses of its own. It knows the ledger alone. Any number of processes may do this at once.
 */
export class LetterQueueWorker {
  private readonly work: NotifiedWorker;
  /** When the next batch may begin, by `performance.now()`. */
  private restUntil = 0;

  constructor(
    private readonly queue: QueueName,
    private readonly database: Database,
    notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly send: SendBatch,
    private readonly logger: Logger,
  ) {
    this.work = new NotifiedWorker(
      notifications,
      'letters',
      () => this.seeTo(),
      (error) => logger.warn({ queue, error }, 'letters wait in the ledger: their queue is out of reach'),
    );
  }

  start(): void {
    this.work.start();
  }

  /** Waits for the letters that are just being sent. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  /** @returns milliseconds until it is to be done again */
  private async seeTo(): Promise<number> {
    const rest = this.restUntil - performance.now();
    if (rest > 0) return rest;
    const { fresh, troubled, ms } = await this.look();
    if (troubled > 0) {
      while ((await inTransaction(this.database, (transaction) => this.queueBatch(transaction))) === BATCH);
    }
    // Where an admin holds the queue, they wait.
    if (fresh > 0 && !(await this.jobs.isPaused(this.queue))) return this.sendFresh(fresh);
    return ms !== null && ms <= 0 ? BEHIND_MS : Math.min(ms ?? POLL_MS, POLL_MS);
  }

  private async sendFresh(due: number): Promise<number> {
    const { gatherMs = 0, firstRetryMs } = this.jobs.policy(this.queue);
    const until = performance.now() + BEHIND_MS;
    for (;;) {
      const began = performance.now();
      const outcome = await this.send(this.queue, { due, isStopping: () => this.work.isStopping });
      if (outcome === 'full' && performance.now() < until && !this.work.isStopping) continue;
      this.restUntil = outcome === 'full' ? 0 : began + (outcome === 'away' ? firstRetryMs : gatherMs);
      return Math.max(0, this.restUntil - performance.now());
    }
  }

  private async look() {
    const row = await queryRow(this.database, laneRow, {
      name: 'look-at-letters',
      text: `
        select count(*) filter (where due_at <= now() and ${IS_UNCLAIMED})::integer as fresh,
          count(*) filter (where due_at <= now() and not ${IS_UNCLAIMED})::integer as troubled,
          (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::double precision as ms
        from letters.letter where queue = $1 and settled_at is null and kind = any($2)`,
      values: [this.queue, KNOWN_KINDS],
    });
    return row ?? { fresh: 0, troubled: 0, ms: null };
  }

  /** A letter counts as queued only once its job is in the queue. */
  private async queueBatch(transaction: Connection): Promise<number> {
    const rows = await queryRows(transaction, dueLetter.extend({ rounds: z.int() }), {
      name: 'queue-letters',
      text: `
        with room as (
          select greatest(0, $5 - count(*)) as free from letters.letter
          where queue = $1 and settled_at is null and queued_at is not null and due_at > now()
        ), due as (
          select cause from letters.letter
          where queue = $1 and settled_at is null and due_at <= now() and not ${IS_UNCLAIMED} and kind = any($4)
          order by caused_at limit (select least(free, $2) from room) for update skip locked
        )
        update letters.letter l set queued_at = now(), rounds = rounds + 1,
          due_at = now() + make_interval(secs => $3 * 2 ^ least(greatest(rounds - claims, 0), 10)),
          -- A refused letter's job tells of that alone; whoever looks after the queues may have it tried again.
          state = case state when 'refused' then state else 'waiting' end,
          settled_at = case state when 'refused' then now() end
        from due where l.cause = due.cause
        returning rounds, ${DUE_LETTER_COLUMNS}`,
      values: [this.queue, BATCH, FORGOTTEN_AFTER_SECONDS, KNOWN_KINDS, IN_HAND],
    });
    if (rows.length === 0) return 0;
    await this.jobs.add(
      this.queue,
      rows.map(({ cause, kind, data, rounds, correlation_id: correlationId }) => ({
        // Another one each time: the queue ignores an id that it knows, be its job completed or failed.
        id: `letter-${letterId(cause)}-${rounds}`,
        name: kind,
        data: { ...data, cause },
        correlationId: correlationId ?? undefined,
      })),
    );
    this.logger.info(
      { queue: this.queue, letters: rows.length },
      'letters that were not sent, or that no job had in hand, were queued',
    );
    return rows.length;
  }
}
