import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DashboardController } from './dashboard.controller.js';
import { DashboardCountersHandler } from './dashboard.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [DashboardController],
  providers: [DashboardCountersHandler],
})
export class DashboardModule {}
