import { Module } from '@nestjs/common';
import { LiveModule } from '../live/live.module.js';
import { ServerOperations } from './server-operations.js';

/** Health, readiness and measurements. Needs the platform and the job queues from global modules. */
@Module({ imports: [LiveModule], providers: [ServerOperations] })
export class OperationsModule {}
