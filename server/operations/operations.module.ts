import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LiveModule } from '../live/live.module.js';
import { FollowersController } from './followers.controller.js';
import { FollowersInTroubleHandler } from './followers.queries.js';
import { ServerOperations } from './server-operations.js';

/** Health, readiness and measurements. Needs the platform and the job queues from global modules. */
@Module({
  imports: [CqrsModule, LiveModule],
  controllers: [FollowersController],
  providers: [ServerOperations, FollowersInTroubleHandler],
})
export class OperationsModule {}
