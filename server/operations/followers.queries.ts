import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { FollowersView } from '#contracts/dashboard/followers.js';
import type { Database } from '#platform/database/database.js';
import { followersInTrouble } from '#platform/operations/follower-states.js';
import { DATABASE } from '#platform/tokens.js';

/** Followers of the event log without progress, in any process. */
export class FollowersInTrouble extends Query<FollowersView> {}

@QueryHandler(FollowersInTrouble)
export class FollowersInTroubleHandler implements IQueryHandler<FollowersInTrouble> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute(): Promise<FollowersView> {
    const troubles = await followersInTrouble(this.database);
    return troubles.map(({ name, state, since, reason, event }) => ({
      ...{ name, state, reason, since: since.toISOString() },
      event: event && {
        ...{ stream: event.stream, type: event.type },
        ...{ revision: event.revision.toString(), position: event.position.toString() },
      },
    }));
  }
}
