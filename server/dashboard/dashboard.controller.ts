import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { dashboardStatsSchema, type DashboardStats } from '#contracts/dashboard/stats.js';
import { lastEventsSchema, todaySchema, type LastEvent, type Today } from '#contracts/dashboard/today.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { DashboardCounters } from './dashboard.queries.js';
import { LastEvents } from './last-events.queries.js';
import { TodaysWork } from './today.queries.js';

@Controller('Dashboard')
export class DashboardController {
  constructor(private readonly queries: QueryBus) {}

  @Get('stats')
  @Allow('Admin')
  @Answers(dashboardStatsSchema)
  stats(): Promise<DashboardStats> {
    return this.queries.execute(new DashboardCounters());
  }

  @Get('today')
  @Allow('Admin')
  @Answers(todaySchema)
  today(): Promise<Today> {
    return this.queries.execute(new TodaysWork());
  }

  @Get('last-events')
  @Allow('Admin')
  @Answers(lastEventsSchema)
  lastEvents(): Promise<LastEvent[]> {
    return this.queries.execute(new LastEvents());
  }
}
