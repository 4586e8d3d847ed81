import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardCountersHandler } from './dashboard.queries.js';
import { LastEventsHandler } from './last-events.queries.js';
import { MonthLines } from './month-lines.js';
import { TodaysWorkHandler } from './today.queries.js';

@Module({
  imports: [CqrsModule, ReadModelsModule],
  controllers: [DashboardController],
  providers: [DashboardCountersHandler, TodaysWorkHandler, LastEventsHandler, MonthLines],
})
export class DashboardModule {}
