import type { Database } from '#platform/database/database.js';
import type { EventPlace } from '#platform/event-log/upcast.js';
import type { Logger } from '#platform/logging.js';
import { clearTrouble, recordTrouble, type FollowerName } from '#platform/operations/follower-states.js';

/** A follower's trouble as it is published to every process. A failure to publish is logged, never thrown. */
export class PublishedTrouble {
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
      await recordTrouble(this.database, { name, state, since, reason, event });
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
    clearTrouble(this.database, this.name).catch((error: unknown) => {
      this.mayBeOutdated = true;
      this.logger.warn({ error }, `${this.name} is at work again, and could not tell the others`);
    });
  }
}
