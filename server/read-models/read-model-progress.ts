import { EventEmitter } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { PROJECTED } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { readModelSchema } from '#platform/database/read-model.js';
import { millisecondsLeft, withDeadlineTimeout } from '#platform/deadline.js';
import { Notifications, type ReadModelChange } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { DATABASE } from '#platform/tokens.js';

/** Milliseconds that whoever reads waits for the read models (`docs/architecture.md`). */
const MAX_WAIT = 2_000;
/** Milliseconds for the log to say how far it goes, and after which it is asked again where it did not. */
const LOG = { answer: 300, again: 5_000 };

interface ProgressEvents {
  change: [ReadModelChange];
}

/** The read models' position, as the projection announces it on commit. */
@Injectable()
export class ReadModelProgress
  extends EventEmitter<ProgressEvents>
  implements OnApplicationBootstrap, OnApplicationShutdown
{
  private reachedPosition = -1n;
  private logId: string | null = null;
  private waiting: { position: bigint; resolve: (reached: boolean) => void }[] = [];
  /** The schema that queries read, as far as this process knows. */
  private reading: string | undefined;
  /** Somebody has waited in vain for what the log has: until the rows move on, nobody waits any more. */
  private hasStalled = false;
  /** What was asked of the log last; the question after it, for all who come meanwhile; and when it may be asked. */
  private asked: Promise<bigint> = Promise.resolve(-1n);
  private nextAsked: Promise<bigint> | undefined;
  private askAgainAt = 0;
  /** The last position that the log is known to have. */
  private inLog = -1n;
  private readonly onChange = (change: ReadModelChange) => {
    const schema = change.schema ?? readModelSchema(1);
    if (schema === this.reading) this.advance(change);
    // This release's rows are complete: queries read them from here on.
    else if (schema === this.schema.own) this.onGap();
  };
  private readonly onGap = () => void this.lookUp().catch(() => undefined);

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly schema: ReadModelSchema,
    private readonly notifications: Notifications,
    private readonly eventLog: EventLog,
  ) {
    super();
  }

  async onApplicationBootstrap(): Promise<void> {
    this.notifications.on('readModels', this.onChange);
    this.notifications.on('gap', this.onGap);
    await this.lookUp();
  }

  onApplicationShutdown(): void {
    this.notifications.off('readModels', this.onChange);
    this.notifications.off('gap', this.onGap);
    for (const { resolve } of this.waiting) resolve(false);
    this.waiting = [];
  }

  get position(): bigint {
    return this.reachedPosition;
  }

  /** The identity of the log that positions speak of, if it is known. */
  get log(): string | null {
    return this.logId;
  }

  /** Whether the rows contain all that this process has appended, and everything up to a position that somebody knows. */
  isAt(known = -1n): boolean {
    return known <= this.reachedPosition && this.eventLog.appended <= this.reachedPosition;
  }

  /** Waits for that, unless the rows have stood still for longer than one waits. @returns whether they do */
  async current(known = -1n): Promise<boolean> {
    if (this.isAt(known)) return true;
    if (this.hasStalled) return false;
    const { appended } = this.eventLog;
    if (appended > this.inLog) this.inLog = appended;
    const before = this.reachedPosition;
    const position = known > appended ? known : appended;
    // What somebody only claims to know proves nothing.
    const isInLog = position <= this.inLog;
    const reached = await this.reached(position);
    if (isInLog && !reached && this.reachedPosition === before) this.hasStalled = true;
    return reached;
  }

  /** Waits for all that the log has, whoever appended it. @returns whether the rows are others than they were at a position */
  async hasMovedOn(seen: bigint): Promise<boolean> {
    await this.current(await this.newest());
    return this.reachedPosition !== seen;
  }

  /**
   * How far the log goes at this moment, whoever appended to it. Those who ask meanwhile share the next question.
   * @returns -1 where it does not say so in time: nobody who reads waits for a log that is away
   */
  newest(): Promise<bigint> {
    this.nextAsked ??= this.asked.then(() => {
      this.nextAsked = undefined;
      this.asked = this.askLog();
      return this.asked;
    });
    return this.nextAsked;
  }

  /**
   * Waits, no longer than the caller has time, until the rows contain everything up to a log position.
   * @returns whether they do
   */
  async reached(position: bigint): Promise<boolean> {
    if (position <= this.reachedPosition) return true;
    return new Promise((resolve) => {
      const entry = {
        position,
        resolve: (reached: boolean) => {
          clearTimeout(timer);
          resolve(reached);
        },
      };
      const timer = setTimeout(
        () => {
          this.waiting = this.waiting.filter((other) => other !== entry);
          resolve(false);
        },
        Math.min(MAX_WAIT, millisecondsLeft()),
      );
      this.waiting.push(entry);
    });
  }

  private async askLog(): Promise<bigint> {
    if (performance.now() < this.askAgainAt) return -1n;
    try {
      const last = await withDeadlineTimeout(
        LOG.answer,
        () => this.eventLog.last(PROJECTED),
        'The log did not say how far it goes.',
      );
      const position = last?.commit ?? -1n;
      if (position > this.inLog) this.inLog = position;
      return position;
    } catch {
      this.askAgainAt = performance.now() + LOG.again;
      return -1n;
    }
  }

  /** After a lost connection nobody can say what changed, so every client refetches. */
  private async lookUp(): Promise<void> {
    try {
      this.reading = await this.schema.toRead();
    } catch (error) {
      // They are being built: waiting callers are notified when they are complete.
      if (error instanceof DomainError) return;
      throw error;
    }
    const before = this.reachedPosition;
    const checkpoint = await queryRow(
      this.database,
      z.object({ position: z.string(), log_id: z.string().nullable() }),
      `select commit_position as position, log_id from ${this.reading}.checkpoint`,
    );
    this.logId = checkpoint?.log_id ?? null;
    const position = checkpoint?.position ?? '-1';
    // A database that crashed may have lost its last rows: whoever reads waits until they are there again.
    if (this.reachedPosition === before && BigInt(position) < before) this.reachedPosition = BigInt(position);
    this.advance({ position });
  }

  private advance(change: ReadModelChange): void {
    const position = BigInt(change.position);
    if (position > this.reachedPosition) {
      this.reachedPosition = position;
      this.hasStalled = false;
    }
    const ready = this.waiting.filter((entry) => entry.position <= this.reachedPosition);
    if (ready.length > 0) {
      this.waiting = this.waiting.filter((entry) => entry.position > this.reachedPosition);
      for (const entry of ready) entry.resolve(true);
    }
    this.emit('change', change);
  }
}
