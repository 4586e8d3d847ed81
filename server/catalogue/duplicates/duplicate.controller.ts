import { Body, Controller, Delete, Get, HttpCode, Inject, Post, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import {
  candidatesSchema,
  compareQuerySchema,
  distinctPairListQuerySchema,
  distinctPairPageSchema,
  distinctPairQuerySchema,
  duplicatePageSchema,
  duplicateQuerySchema,
  notTheSameAnswerSchema,
  notTheSameBodySchema,
  type Candidate,
  type CompareQuery,
  type DistinctPair,
  type DuplicatePage,
  type DuplicateQuery,
  type NotTheSameBody,
} from '#contracts/catalogue/duplicate.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { valid } from '../../http/validation.js';
import { markDistinct, allowProposal, pagePairs } from './distinct-pairs.js';
import { CompareCandidates, FindDuplicates } from './duplicate.queries.js';

/** What of the catalogue may be there twice, and what was found not to be. */
@Controller('Duplicate')
export class DuplicateController {
  constructor(
    private readonly queries: QueryBus,
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Allow('Admin')
  @Answers(duplicatePageSchema)
  find(@Query(valid(duplicateQuerySchema)) query: DuplicateQuery): Promise<DuplicatePage> {
    return this.queries.execute(new FindDuplicates(query));
  }

  @Get('compare')
  @Allow('Admin')
  @Answers(candidatesSchema)
  compare(@Query(valid(compareQuerySchema)) query: CompareQuery): Promise<Candidate[]> {
    return this.queries.execute(new CompareCandidates(query));
  }

  @Get('not-the-same')
  @Allow('Admin')
  @Answers(distinctPairPageSchema)
  pairs(
    @Query(valid(distinctPairListQuerySchema))
    { pageNumber, pageSize }: z.output<typeof distinctPairListQuerySchema>,
  ): Promise<Paged<DistinctPair>> {
    return pagePairs(this.database, pageSize, (pageNumber - 1) * pageSize);
  }

  @Post('not-the-same')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(notTheSameAnswerSchema)
  async markDistinct(
    @Caller() { accountId }: SignedIn,
    @Body(valid(notTheSameBodySchema)) { kind, ids }: NotTheSameBody,
  ): Promise<{ pairs: number }> {
    return { pairs: await markDistinct(this.database, kind, ids, accountId, this.clock.now()) };
  }

  @Delete('not-the-same')
  @Allow('Admin')
  @Answers(notTheSameAnswerSchema)
  async takeBack(
    @Query(valid(distinctPairQuerySchema))
    { Kind, one, other }: z.output<typeof distinctPairQuerySchema>,
  ): Promise<{ pairs: number }> {
    await allowProposal(this.database, Kind, one, other);
    return { pairs: 1 };
  }
}
