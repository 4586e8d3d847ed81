import { Controller } from '@nestjs/common';
import { readFollowers, type FollowersView } from '#contracts/dashboard/followers.js';
import { Serves } from '../http/serves.js';
import { FollowersQueries } from './followers.queries.js';

@Controller()
export class FollowersController {
  constructor(private readonly followersQueries: FollowersQueries) {}

  @Serves(readFollowers)
  inTrouble(): Promise<FollowersView> {
    return this.followersQueries.find();
  }
}
