import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { ProblemCode } from '#contracts/problem.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { queryRows } from '#platform/database/query-rows.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { ChangeHold } from './hold.commands.js';

/** The actor in the events. */
const ACTOR = 'hold-keeper';
/** Milliseconds between two rounds, at most: one that is asked for comes at once. */
const EVERY = 5_000;
/** Holds of one round. */
const MOST = 200;

/** The round ends, and the next one tries again. */
const LATER: readonly ProblemCode[] = ['EventStoreUnavailable', 'RulesUnknown'];

/** A commit of its own, which waits for the disk and so for all before it. */
const FLUSH = `select pg_logical_emit_message(true, 'lectern', 'holds')`;

const boundRow = z.object({
  holdId: z.string(),
  readerId: z.string(),
  borrowId: z.string(),
  asOf: z.coerce.number(),
  bookKind: z.enum(BOOK_KINDS),
});
const dueRow = boundRow.omit({ borrowId: true, bookKind: true });

/**
 * Tells the readers' streams of the copies that PostgreSQL has bound to their holds, and of pauses and needs that are over.
 * Whatever is refused changed meanwhile: the projection of that change frees the copy, and gives it to the next in the same way.
 * Any number of processes may do it, and die anywhere: a binding is one command.
 */
@Injectable()
export class HoldReconciler implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<void> | undefined;
  private isAskedAgain = false;
  private isStopped = false;
  private readonly onBound = () => this.work();

  constructor(
    private readonly commands: CommandBus,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.notifications.on('holds', this.onBound);
    this.notifications.on('gap', this.onBound);
    this.timer = setInterval(this.onBound, Math.min(EVERY, this.settings.HOLD_STALE_SECONDS * 1000));
    this.work();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    this.notifications.off('holds', this.onBound);
    this.notifications.off('gap', this.onBound);
    clearInterval(this.timer);
    await this.working;
  }

  private work(): void {
    if (this.isStopped) return;
    if (this.working) {
      this.isAskedAgain = true;
      return;
    }
    this.working = this.round()
      .catch((error: unknown) => {
        this.logger.warn(
          { error },
          'readers could not be told of their reserved copies; this is tried again',
        );
      })
      .finally(() => {
        this.working = undefined;
        if (!this.isAskedAgain) return;
        this.isAskedAgain = false;
        this.work();
      });
  }

  /** One look at all that is to be done. */
  async round(): Promise<void> {
    const bound = await this.bound();
    // Bindings are committed without waiting for the disk. An event in another store may not outlive what it speaks of.
    if (bound.length > 0 && !this.settings.eventsInDatabase) await this.database.query(FLUSH);
    for (const { borrowId, ...hold } of bound) {
      await this.tell(hold, { type: 'ReadyHold' as const, ...hold, borrowId }, borrowId);
    }
    for (const hold of await this.due()) {
      const { holdId, asOf } = hold;
      await this.tell(hold, { type: 'ReviewHold' as const, holdId }, `${holdId} ${asOf}`);
    }
  }

  /** @param key what is done is done once */
  private async tell(
    { holdId, readerId }: { holdId: string; readerId: string },
    change: ChangeHold['change'],
    key: string,
  ): Promise<void> {
    const context = {
      actor: ACTOR,
      correlationId: holdId,
      ...commandIdentity(key, ACTOR, change.type, { holdId }),
    };
    try {
      await this.commands.execute(new ChangeHold({ readerId, change, context }));
    } catch (error) {
      if (!(error instanceof DomainError) || LATER.includes(error.code)) throw error;
      const isUsual = error.code === 'ConcurrentChange' || error.code === 'HoldNotFound';
      this.logger[isUsual ? 'debug' : 'warn']({ holdId, code: error.code }, 'a hold could not be told of');
    }
  }

  private bound(): Promise<z.output<typeof boundRow>[]> {
    return queryRows(this.database, boundRow, {
      name: 'bound-holds',
      text: `select hold_id as "holdId", reader_id as "readerId", borrow_id as "borrowId", revision as "asOf",
               (select b.kind from book b where b.id = hold.book_id) as "bookKind"
             from hold where state = 'bound' order by bound_at limit $1`,
      values: [MOST],
    });
  }

  private due(): Promise<z.output<typeof dueRow>[]> {
    return queryRows(this.database, dueRow, {
      name: 'due-holds',
      text: `(select hold_id as "holdId", reader_id as "readerId", revision as "asOf"
              from hold where state = 'paused' and paused_until <= $1 order by paused_until limit $2)
             union
             (select hold_id, reader_id, revision
              from hold where state in ('waiting', 'paused') and needed_until < $1 order by needed_until limit $2)`,
      values: [this.clock.now(), MOST],
    });
  }
}
