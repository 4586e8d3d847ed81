import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { readStats, type DashboardStats } from '#contracts/dashboard/stats.js';
import { readLastEvents, readToday, type LastEvent, type Today } from '#contracts/dashboard/today.js';
import { Serves } from '../http/serves.js';
import { DashboardCounters } from './dashboard.queries.js';
import { LastEventsQueries } from './last-events.queries.js';
import { TodayQueries } from './today.queries.js';

@Controller()
export class DashboardController {
  constructor(
    private readonly queries: QueryBus,
    private readonly todayQueries: TodayQueries,
    private readonly lastEventsQueries: LastEventsQueries,
  ) {}

  @Serves(readStats)
  stats(): Promise<DashboardStats> {
    return this.queries.execute(new DashboardCounters());
  }

  @Serves(readToday)
  today(): Promise<Today> {
    return this.todayQueries.find();
  }

  @Serves(readLastEvents)
  lastEvents(): Promise<LastEvent[]> {
    return this.lastEventsQueries.find();
  }
}
