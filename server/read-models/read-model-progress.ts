import { EventEmitter } from 'node:events';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { readModelSchema } from '#platform/database/read-model.js';
import { millisecondsLeft } from '#platform/deadline.js';
import { Notifications, type ReadModelChange } from '#platform/database/notifications.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

/** Milliseconds that a command's response waits for the read models (`docs/architecture.md`). */
const MAX_WAIT = 2_000;

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

  /** What the answer to a command says of the events that it stored, once the rows contain them or it has waited long enough. */
  async confirmed(position: bigint): Promise<{ position: string; upToDate: boolean }> {
    return { position: position.toString(), upToDate: await this.reached(position) };
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
    const checkpoint = await queryRow(
      this.database,
      z.object({ position: z.string(), log_id: z.string().nullable() }),
      `select commit_position as position, log_id from ${this.reading}.checkpoint`,
    );
    this.logId = checkpoint?.log_id ?? null;
    this.advance({ position: checkpoint?.position ?? '-1' });
  }

  private advance(change: ReadModelChange): void {
    const position = BigInt(change.position);
    if (position > this.reachedPosition) this.reachedPosition = position;
    const ready = this.waiting.filter((entry) => entry.position <= this.reachedPosition);
    if (ready.length > 0) {
      this.waiting = this.waiting.filter((entry) => entry.position > this.reachedPosition);
      for (const entry of ready) entry.resolve(true);
    }
    this.emit('change', change);
  }
}
