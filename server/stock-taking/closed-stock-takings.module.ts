import { Module } from '@nestjs/common';
import { ClosedStockTakings } from './closed-stock-takings.js';

/** The job that closes stock-takings, by itself: a worker does it, which takes no stock. */
@Module({ providers: [ClosedStockTakings], exports: [ClosedStockTakings] })
export class ClosedStockTakingsModule {}
