import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ClosedStockTakingsModule } from './closed-stock-takings.module.js';
import { StockFindings } from './stock-findings.js';
import { StockResolutions } from './stock-resolutions.js';
import { StockScans } from './stock-scans.js';
import { StockTakingController } from './stock-taking.controller.js';
import { StockTakings } from './stock-takings.js';

/** What stands on the shelves, against what the library knows of it. */
@Module({
  imports: [CqrsModule, ClosedStockTakingsModule],
  controllers: [StockTakingController],
  providers: [StockTakings, StockScans, StockFindings, StockResolutions],
})
export class StockTakingModule {}
