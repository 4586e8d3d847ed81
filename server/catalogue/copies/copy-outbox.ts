import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_EVENTS, COPY_EVENT_TYPES, type CopyEvent } from '#contracts/copies/copy-events.js';
import { eventMetadataSchema } from '#contracts/event-entry.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { EventLog, RevisionConflict } from '#platform/event-log/event-log.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';

/** Milliseconds between two looks for events that a process left behind. */
const EVERY = 5_000;
/** Events that are appended side by side. */
const AT_ONCE = 16;
/** Rows of a look. */
const BATCH = 500;

const storedEvent = z
  .object({ type: z.enum(COPY_EVENT_TYPES), data: z.unknown() })
  .transform(({ type, data }, context): CopyEvent => {
    const parsed = COPY_EVENTS[type].data.safeParse(data);
    if (parsed.success) return { type, data: parsed.data } as CopyEvent;
    context.addIssue('not the data of its event');
    return z.NEVER;
  });

const pendingRow = z.object({
  book_id: z.int(),
  copy: z.int(),
  revision: z.coerce.bigint(),
  pending: z.object({
    id: z.uuid(),
    event: storedEvent,
    metadata: eventMetadataSchema.omit({ schemaVersion: true }),
  }),
});
type PendingRow = z.output<typeof pendingRow>;

const PENDING = 'select book_id, copy, revision, pending from copy where pending is not null';

/**
 * Appends the events of copies that were committed with their rows. The store knows an event by its id at its revision, so
 * it does not matter how often, or by how many processes, one is appended.
 */
@Injectable()
export class CopyOutbox implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> = Promise.resolve();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly log: EventLog,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.working = this.working.then(() => this.appendLeftBehind());
    }, EVERY);
    this.timer.unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  /** Appends the events of these copies of a book. If the log is away, they follow when it is back. */
  async append(bookId: number, copies: readonly number[]): Promise<void> {
    if (copies.length === 0) return;
    await this.appendAll(`${PENDING} and book_id = $1 and copy = any($2::integer[])`, [bookId, copies]);
  }

  /** Appends whatever is there. */
  async appendAtOnce(): Promise<void> {
    await this.appendAll(`${PENDING} order by changed_at limit $1`, [BATCH]);
  }

  /** Events that have waited for longer than a command takes. */
  async appendLeftBehind(): Promise<void> {
    const old = `${PENDING} and changed_at < now() - make_interval(secs => $1) order by changed_at limit $2`;
    await this.appendAll(old, [EVERY / 1000, BATCH]);
  }

  private async appendAll(text: string, values: unknown[]): Promise<void> {
    try {
      const rows = await queryRows(this.database, pendingRow, text, values);
      const next = rows.values();
      const work = async () => {
        for (const row of next) await this.appendOne(row);
      };
      await Promise.all(Array.from({ length: Math.min(AT_ONCE, rows.length) }, work));
    } catch (error) {
      this.logger.warn({ error }, 'what happened to copies is not in the event log yet; this is tried again');
    }
  }

  private async appendOne({ book_id: bookId, copy, revision, pending }: PendingRow): Promise<void> {
    const key = copyCode({ bookId, copy });
    const clear = `update copy set pending = null where book_id = $1 and copy = $2 and pending ->> 'id' = $3`;
    try {
      await this.log.append('copies', key, [pending], revision - 1n);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
      await this.moveUp({ bookId, copy }, key, pending.id);
      return;
    }
    await this.database.query(clear, [bookId, copy, pending.id]);
  }

  /** An operator's decision has come between: the event goes behind it, if it is not there already. */
  private async moveUp({ bookId, copy }: CopyOfBook, key: string, eventId: string): Promise<void> {
    const recorded = await this.log.readRecorded('copies', key, 0n);
    const own = recorded.find(({ id }) => id === eventId);
    const last = recorded.at(-1)?.revision ?? -1n;
    await this.database.query(
      `update copy set revision = $4, pending = case when $5 then null else pending end
       where book_id = $1 and copy = $2 and pending ->> 'id' = $3`,
      [bookId, copy, eventId, (own ? last : last + 1n).toString(), own !== undefined],
    );
  }
}
