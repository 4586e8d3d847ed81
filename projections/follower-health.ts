import type { EventPlace } from '#platform/event-log/upcast.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import {
  clearFollowerFailure,
  recordFollowerFailure,
  type FollowerName,
} from '#platform/operations/follower-states.js';

/** A follower's state, for health checks. */
export type FollowerState =
  /** Another process is the leader, or none yet. */
  | { kind: 'standby' }
  | { kind: 'leading'; position: bigint }
  /** Something is unavailable; the follower retries. */
  | { kind: 'retrying'; failure: string }
  /** It cannot go on, and skips nothing: an operator has to act. */
  | { kind: 'stopped'; reason: string; event: EventPlace | undefined }
  | { kind: 'ended' };

/** How a follower does, in this process. */
export class FollowerHealth {
  state: FollowerState = { kind: 'standby' };
  /** How often it restarted after a transient failure. */
  losses = 0;
  /** How often the event store ended its subscription as too slow. It went on at once. */
  resubscriptions = 0;
  private failingSince: Date | undefined;

  /**
   * @param redAfter milliseconds without progress after which it is not ready
   * @param now the time, in milliseconds since 1970
   */
  constructor(
    private readonly redAfter: number,
    private readonly now: () => number,
  ) {}

  /** Whether it works, or another process does. A transient failure gets some time. */
  get isReady(): boolean {
    const { kind } = this.state;
    if (kind === 'stopped' || kind === 'ended') return false;
    return this.failingSince === undefined || this.now() - this.failingSince.getTime() < this.redAfter;
  }

  standBy(): void {
    this.state = { kind: 'standby' };
    this.progressed();
  }

  progressed(): void {
    this.failingSince = undefined;
  }

  /** @returns since when there has been no progress */
  failed(failure: string): Date {
    this.losses += 1;
    this.failingSince ??= new Date(this.now());
    this.state = { kind: 'retrying', failure };
    return this.failingSince;
  }
}

/** A follower's trouble as it is published to every process. A failure to publish is logged, never thrown. */
export class PublishedFailure {
  /** Whether the database may have a published state that is out of date. */
  private mayBeOutdated = true;

  constructor(
    private readonly name: FollowerName,
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  /** @returns whether the state was published */
  async publish(
    state: 'retrying' | 'stopped',
    since: Date,
    reason: string,
    place?: EventPlace,
  ): Promise<boolean> {
    const { name } = this;
    this.mayBeOutdated = true;
    try {
      const event = place ? { ...place, position: place.position.commit } : null;
      await recordFollowerFailure(this.database, { name, state, since, reason, event });
      return true;
    } catch (error) {
      this.logger.warn({ error }, `${name} is ${state}, and could not tell the others`);
      return false;
    }
  }

  /** The follower works again. */
  withdraw(): void {
    if (!this.mayBeOutdated) return;
    this.mayBeOutdated = false;
    clearFollowerFailure(this.database, this.name).catch((error: unknown) => {
      this.mayBeOutdated = true;
      this.logger.warn({ error }, `${this.name} is at work again, and could not tell the others`);
    });
  }
}
