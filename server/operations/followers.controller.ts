import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { followersViewSchema, type FollowersView } from '#contracts/dashboard/followers.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { FollowersInTrouble } from './followers.queries.js';

@Controller('Dashboard')
export class FollowersController {
  constructor(private readonly queries: QueryBus) {}

  @Get('followers')
  @Allow('Admin')
  @Answers(followersViewSchema)
  inTrouble(): Promise<FollowersView> {
    return this.queries.execute(new FollowersInTrouble());
  }
}
