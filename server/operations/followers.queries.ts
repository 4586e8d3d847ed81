import { Inject, Injectable } from '@nestjs/common';
import type { FollowersView } from '#contracts/dashboard/followers.js';
import type { Database } from '#platform/database/database.js';
import { failingFollowers } from '#platform/operations/follower-states.js';
import { DATABASE } from '#platform/tokens.js';

@Injectable()
export class FollowersQueries {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Followers of the event log without progress, in any process. */
  async find(): Promise<FollowersView> {
    const troubles = await failingFollowers(this.database);
    return troubles.map(({ name, state, since, reason, event }) => ({
      ...{ name, state, reason, since: since.toISOString() },
      event: event && {
        ...{ stream: event.stream, type: event.type },
        ...{ revision: event.revision.toString(), position: event.position.toString() },
      },
    }));
  }
}
