import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { readFollowers, type FollowersView } from '#contracts/dashboard/followers.js';
import { Serves } from '../http/serves.js';
import { GetFailingFollowers } from './followers.queries.js';

@Controller()
export class FollowersController {
  constructor(private readonly queries: QueryBus) {}

  @Serves(readFollowers)
  inTrouble(): Promise<FollowersView> {
    return this.queries.execute(new GetFailingFollowers());
  }
}
