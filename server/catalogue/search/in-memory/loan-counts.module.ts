import { Module } from '@nestjs/common';
import { LoanCounts } from './loan-counts.js';

/** The job that counts loans, by itself: a worker does it, which has no catalogue. */
@Module({ providers: [LoanCounts] })
export class LoanCountsModule {}
