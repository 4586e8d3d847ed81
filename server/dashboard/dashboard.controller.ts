import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { dashboardStatsSchema, type DashboardStats } from '#contracts/dashboard/stats.js';
import { Allow } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { DashboardCounters } from './dashboard.queries.js';

@Controller('Dashboard')
export class DashboardController {
  constructor(private readonly queries: QueryBus) {}

  @Get('stats')
  @Allow('Admin')
  @Answers(dashboardStatsSchema)
  stats(): Promise<DashboardStats> {
    return this.queries.execute(new DashboardCounters());
  }
}
