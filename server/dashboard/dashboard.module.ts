import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ReadModelsModule } from '../read-models/read-models.module.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardCountersHandler } from './dashboard.queries.js';
import { LastEventsQueries } from './last-events.queries.js';
import { MonthLines } from './month-lines.js';
import { TodayQueries } from './today.queries.js';

@Module({
  imports: [CqrsModule, ReadModelsModule],
  controllers: [DashboardController],
  providers: [DashboardCountersHandler, TodayQueries, LastEventsQueries, MonthLines],
})
export class DashboardModule {}
