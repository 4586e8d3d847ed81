import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isSuccess } from '#contracts/webhooks/webhooks.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { LogPosition } from '#platform/event-log/event-log.js';
import { NotifiedWorker, POLL_MS } from '#platform/jobs/notified-worker.js';
import type { Logger } from '#platform/logging.js';
import { DATABASE, LOGGER } from '#platform/tokens.js';
import { PublicEvents } from './public-events.js';
import {
  recordTry,
  WebhookDeliveries,
  webhookRow,
  type Told,
  type WebhookRow,
} from './webhook-deliveries.js';

/** Events that are told before it is looked again how a webhook stands. */
const PAGE = 100;
/** Seconds that are waited for an event. */
const WAIT = 20;
/** For so long nobody else tells a webhook: longer than that wait, or than one try. */
const LEASE = "now() + interval '60 seconds'";
/** Milliseconds without any success after which an address is given up. */
const GIVEN_UP_AFTER = 24 * 3_600_000;
const FIRST_RETRY = 5_000;
const LONGEST_RETRY = 30 * 60_000;
/** Of each webhook. */
const DELIVERIES_KEPT = 500;
/** The status by which an address says that it is gone for good. */
const GONE = 410;

/**
 * Tells webhooks of events, one after the other, each webhook from its own place in the log. What cannot be told holds up what comes
 * after it, and an event has the same id however often it is told. One process at a time tells a webhook; if another begins too
 * early, that costs no more than a repetition.
 */
@Injectable()
export class WebhookRuns implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly worker = randomUUID();
  private readonly running = new Set<{ id: string; ending: AbortController; ended: Promise<void> }>();
  private readonly work: NotifiedWorker;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clock: Clock,
    private readonly events: PublicEvents,
    private readonly deliveries: WebhookDeliveries,
    private readonly notifications: Notifications,
  ) {
    this.work = new NotifiedWorker(notifications, 'webhooks', () => this.begin(), this.warn);
  }

  onApplicationBootstrap(): void {
    this.notifications.on('webhooks', this.interrupt);
    this.work.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.notifications.off('webhooks', this.interrupt);
    await this.work.stop();
    for (const { ending } of this.running) ending.abort();
    await Promise.all([...this.running].map(({ ended }) => ended));
  }

  private readonly warn = (error: unknown) =>
    this.logger.warn({ error }, 'webhooks could not be told anything for the moment');

  /** An admin changed it: it is begun anew, by what is true now. */
  private readonly interrupt = (changed: string): void => {
    for (const { id, ending } of this.running) if (id === changed) ending.abort();
  };

  private async begin(): Promise<number> {
    const claimed = await queryRows(
      this.database,
      webhookRow,
      `update webhook set worker = $1, leased_until = ${LEASE}
       where off_since is null and (next_try is null or next_try <= $2)
         and (leased_until is null or leased_until < now()) returning *`,
      [this.worker, this.clock.now()],
    );
    for (const webhook of claimed) {
      const ending = new AbortController();
      const ended = this.tellPage(webhook, ending.signal)
        .then(this.work.wake, this.warn)
        .finally(() => this.running.delete(run));
      const run = { id: webhook.id, ending, ended };
      this.running.add(run);
    }
    return POLL_MS;
  }

  private async tellPage(webhook: WebhookRow, ending: AbortSignal): Promise<void> {
    const { kinds, commit_position: commit, prepare_position: prepare } = webhook;
    const after = commit < 0n ? undefined : { commit, prepare };
    try {
      const page = await this.events.page({ after, kinds, limit: PAGE, wait: WAIT }, ending);
      for (const placed of page.events) {
        if (ending.aborted) return;
        const told = await this.deliveries.tell(webhook, placed);
        const isTaken = isSuccess(told.tried.status);
        const isOurs = await this.record(webhook, isTaken ? placed.stored.position : placed.after, told);
        if (!isTaken || !isOurs) return;
      }
      await this.record(webhook, page.next);
    } finally {
      await this.giveBack(webhook);
    }
  }

  /**
   * Writes down how far the webhook has been told, and how it stands.
   * @returns whether it is still this process that tells it
   */
  private async record(webhook: WebhookRow, until: LogPosition | undefined, told?: Told): Promise<boolean> {
    if (told) Object.assign(webhook, this.standingAfter(webhook, told));
    const { id, failing_since, tries, next_try, off_since, off_why, last_at } = webhook;
    const { commit, prepare } = until ?? { commit: -1n, prepare: -1n };
    return inTransaction(this.database, async (connection) => {
      const { rowCount } = await connection.query(
        `update webhook set commit_position = $3, prepare_position = $4, failing_since = $5, tries = $6, next_try = $7,
           off_since = $8, off_why = $9, last_at = $10, leased_until = ${LEASE} where id = $1 and worker = $2`,
        [
          ...[id, this.worker, String(commit), String(prepare)],
          ...[failing_since, tries, next_try, off_since, off_why, last_at],
        ],
      );
      if (rowCount === 1 && told) await recordTry(connection, id, told);
      return rowCount === 1;
    });
  }

  private standingAfter({ failing_since, tries }: WebhookRow, { tried }: Told): Partial<WebhookRow> {
    const now = this.clock.now();
    if (isSuccess(tried.status)) return { failing_since: null, tries: 0, next_try: null, last_at: now };
    const since = failing_since ?? now;
    const isOver = now.getTime() - since.getTime() >= GIVEN_UP_AFTER;
    const why = tried.status === GONE ? 'gone' : isOver ? 'gave-up' : null;
    const pause = Math.min(FIRST_RETRY * 2 ** tries, LONGEST_RETRY) * (0.75 + Math.random() / 2);
    return {
      failing_since: since,
      tries: tries + 1,
      next_try: new Date(now.getTime() + pause),
      ...(why && { off_since: now, off_why: why }),
    };
  }

  private async giveBack({ id }: WebhookRow): Promise<void> {
    await this.database.query(
      `with old as (
         delete from webhook_delivery where webhook_id = $1 and id <= (
           select id from webhook_delivery where webhook_id = $1 order by id desc offset ${DELIVERIES_KEPT} limit 1)
       ) update webhook set leased_until = null where id = $1 and worker = $2`,
      [id, this.worker],
    );
  }
}
