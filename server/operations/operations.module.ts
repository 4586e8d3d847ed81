import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { LiveModule } from '../live/live.module.js';
import { FollowersController } from './followers.controller.js';
import { FollowersQueries } from './followers.queries.js';
import { SystemStatusController } from './system-status/system-status.controller.js';
import { StatusHeartbeat } from './system-status/status-heartbeat.js';
import { StatusMonitor } from './system-status/status-monitor.js';
import { SystemStatusQueries } from './system-status/system-status.queries.js';
import { PendingWork } from './system-status/pending-work.js';
import { ServerOperations } from './server-operations.js';

/** Health, readiness and measurements. Needs the platform and the job queues from global modules. */
@Module({
  imports: [CqrsModule, LiveModule],
  controllers: [FollowersController, SystemStatusController],
  providers: [
    ServerOperations,
    FollowersQueries,
    StatusHeartbeat,
    StatusMonitor,
    SystemStatusQueries,
    PendingWork,
  ],
})
export class OperationsModule {}
