import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LiveModule } from '../live/live.module.js';
import { FollowersController } from './followers.controller.js';
import { FollowersInTroubleHandler } from './followers.queries.js';
import { HouseController } from './house/house.controller.js';
import { HouseHeartbeat } from './house/house-heartbeat.js';
import { HouseWatch } from './house/house-watch.js';
import { StateOfTheHouseHandler } from './house/house.queries.js';
import { WaitingWork } from './house/waiting-work.js';
import { ServerOperations } from './server-operations.js';

/** Health, readiness and measurements. Needs the platform and the job queues from global modules. */
@Module({
  imports: [CqrsModule, LiveModule],
  controllers: [FollowersController, HouseController],
  providers: [
    ServerOperations,
    FollowersInTroubleHandler,
    HouseHeartbeat,
    HouseWatch,
    StateOfTheHouseHandler,
    WaitingWork,
  ],
})
export class OperationsModule {}
