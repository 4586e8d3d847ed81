import { randomUUID } from 'node:crypto';
import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import {
  mergeListQuerySchema,
  mergePageSchema,
  mergeParamsSchema,
  mergeSchema,
  type Merge,
  type MergeListQuery,
} from '#contracts/catalogue/merge.js';
import type { Paged } from '#contracts/paging.js';
import { Clock } from '#platform/clock.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { NoDeadline } from '../../http/request-deadline.js';
import { Answers } from '../../http/answers.js';
import { IdempotencyKey } from '../../http/idempotency-key.js';
import { valid } from '../../http/validation.js';
import { copyContext } from '../copies/copy-context.js';
import { mergeContext } from './merge-context.js';
import { UndoMerge } from './merge.commands.js';
import { PageMerges } from './merge.queries.js';

/** What was merged in the catalogue. Each kind has its own call that merges. */
@Controller('Merge')
export class MergeController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Allow('Admin')
  @Answers(mergePageSchema)
  page(@Query(valid(mergeListQuerySchema)) query: MergeListQuery): Promise<Paged<Merge>> {
    return this.queries.execute(new PageMerges(query));
  }

  /** With the same key the same undoing. */
  @Post(':id/undo')
  @HttpCode(200)
  @Allow('Admin')
  @Answers(mergeSchema)
  @NoDeadline()
  undo(
    @Caller() caller: SignedIn,
    @Param(valid(mergeParamsSchema)) { id }: z.output<typeof mergeParamsSchema>,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<Merge> {
    const context = mergeContext(caller, key, 'UndoMerge', id, this.clock.now());
    return this.commands.execute(new UndoMerge(id, context, copyContext(caller, 'UndoMerge', id, key)));
  }
}
