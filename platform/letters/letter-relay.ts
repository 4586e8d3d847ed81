import { z } from 'zod';
import { inTransaction, type Connection, type Database } from '../database/database.js';
import type { Notifications } from '../database/notifications.js';
import { queryRow, queryRows } from '../database/query-rows.js';
import { QUEUES_OF_LETTERS, type QueueName } from '../jobs/job-map.js';
import type { Jobs, JobSource } from '../jobs/jobs.js';
import { POLL_MS, WokenWork } from '../jobs/woken-work.js';
import type { Logger } from '../logging.js';
import { ACCOUNT_LETTER_KINDS, LETTER_KINDS, letterId } from './notification-request.js';

const BATCH = 100;

/** Letters of one queue that jobs have in hand at once, at most; the others wait in the ledger. */
const IN_HAND = 200;

/**
 * Seconds after which a letter that no job has begun with counts as forgotten by its queue: well above what `IN_HAND`
 * letters take. Doubled each time, so that a queue that is only slow or paused does not fill up.
 */
const FORGOTTEN_AFTER_SECONDS = 60;

/** Pause while there is more than jobs may have in hand. */
const BEHIND_MS = 1000;

const dueLetter = z.object({
  cause: z.string(),
  kind: z.string(),
  data: z.record(z.string(), z.unknown()),
  rounds: z.int(),
  correlation_id: z.string().nullable(),
});

/**
 * Queues the letters that the ledger shows as due: those just requested, and those that no job has in hand any more, for
 * whatever reason. It knows the ledger alone. A letter counts as queued only once its job is in the queue. Any number
 * of processes may do this at once.
 */
export class LetterRelay implements JobSource {
  private readonly work: WokenWork;
  private queues: QueueName[] = [];
  private behind = false;
  private done = 0;

  constructor(
    private readonly database: Database,
    notifications: Notifications,
    private readonly jobs: Jobs,
    private readonly logger: Logger,
  ) {
    this.work = new WokenWork(
      notifications,
      'letters',
      () => this.relay(),
      (error) => logger.warn({ error }, 'letters wait in the ledger: their queue is out of reach'),
    );
  }

  start(worked: readonly QueueName[]): void {
    this.queues = QUEUES_OF_LETTERS.filter((queue) => worked.includes(queue));
    if (this.queues.length > 0) this.work.start();
  }

  /** Waits for the current batch. */
  stop(): Promise<void> {
    return this.work.stop();
  }

  /** A job of this process is done with a letter: where others wait for that, there is room again. */
  letterDone(): void {
    this.done += 1;
    if (this.behind && this.done >= IN_HAND / 4) this.work.wake();
  }

  /** @returns milliseconds until the next letter is due */
  private async relay(): Promise<number> {
    this.done = 0;
    for (const queue of this.queues) {
      while (
        (await inTransaction(this.database, (transaction) => this.queueBatch(transaction, queue))) === BATCH
      );
    }
    const next = await queryRow(
      this.database,
      z.object({ ms: z.number().nullable() }),
      `select (extract(epoch from min(due_at) - clock_timestamp()) * 1000)::double precision as ms
       from letters.letter where queue = any($1) and state in ('waiting', 'sending')`,
      [this.queues],
    );
    const ms = next?.ms ?? POLL_MS;
    this.behind = ms <= 0;
    return this.behind ? BEHIND_MS : Math.min(ms, POLL_MS);
  }

  private async queueBatch(transaction: Connection, queue: QueueName): Promise<number> {
    const rows = await queryRows(transaction, dueLetter, {
      name: 'queue-letters',
      text: `
        with room as (
          select greatest(0, $2 - count(*)) as free from letters.letter
          where queue = $1 and state in ('waiting', 'sending') and due_at > now() and queued_at is not null
        ), due as (
          select cause from letters.letter
          where queue = $1 and state in ('waiting', 'sending') and due_at <= now() and kind = any($5)
          order by due_at, caused_at limit (select least(free, $3) from room) for update skip locked
        )
        update letters.letter l set state = 'waiting', queued_at = now(), rounds = rounds + 1,
          due_at = now() + make_interval(secs => $4 * 2 ^ least(greatest(rounds - claims, 0), 10))
        from due where l.cause = due.cause
        returning l.cause, kind, rounds, correlation_id, ${DATA} as data`,
      // A letter of a newer release is left to a process of that release.
      values: [queue, IN_HAND, BATCH, FORGOTTEN_AFTER_SECONDS, KINDS],
    });
    if (rows.length === 0) return 0;
    await this.jobs.add(
      queue,
      rows.map(({ cause, kind, data, rounds, correlation_id: correlationId }) => ({
        // Another one each time: the queue ignores an id that it knows, be its job completed or failed.
        id: `letter-${letterId(cause)}-${rounds}`,
        name: kind,
        data: { ...data, cause },
        correlationId: correlationId ?? undefined,
      })),
    );
    const again = rows.filter(({ rounds }) => rounds > 1).length;
    if (again > 0)
      this.logger.info({ queue, letters: again }, 'letters that no job had in hand were queued again');
    return rows.length;
  }
}

const KINDS = [...LETTER_KINDS, ...ACCOUNT_LETTER_KINDS];

/** Earlier releases kept no data; they wrote letters about borrows alone, and a reminder's cause ends with its date. */
const DATA = `coalesce(l.data, jsonb_build_object('accountId', account_id, 'borrowId', borrow_id)
  || case kind when 'due-soon' then jsonb_build_object('dueDate', substring(l.cause from 42)) else '{}' end)`;
