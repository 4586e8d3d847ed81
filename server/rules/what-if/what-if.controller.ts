import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { z } from 'zod';
import {
  askedTrialSchema,
  latestTrialSchema,
  trialParamsSchema,
  trialReadersSchema,
  trialRequestSchema,
  trialSchema,
  type LatestTrial,
  type TrialReaders,
  type TrialRequest,
  type TrialView,
} from '#contracts/rules/what-if.js';
import { Allow, Caller, type SignedIn } from '../../http/access.js';
import { Answers } from '../../http/answers.js';
import { correlationId } from '../../http/correlation.js';
import { valid } from '../../http/validation.js';
import { Trials } from './trials.js';

type Params = z.output<typeof trialParamsSchema>;

/** What other rules would have done. Nothing is changed by it; who the readers are is told to admins alone, and recorded. */
@Controller('Rules/what-if')
@Allow('Admin', 'Auditor')
export class WhatIfController {
  constructor(private readonly trials: Trials) {}

  @Post()
  @HttpCode(202)
  @Answers(askedTrialSchema)
  async ask(
    @Caller() caller: SignedIn,
    @Body(valid(trialRequestSchema)) request: TrialRequest,
  ): Promise<z.output<typeof askedTrialSchema>> {
    return { id: await this.trials.ask(request, caller.accountId) };
  }

  @Get()
  @Answers(latestTrialSchema)
  latest(): Promise<LatestTrial> {
    return this.trials.latest();
  }

  @Get(':id')
  @Answers(trialSchema)
  one(@Param(valid(trialParamsSchema)) { id }: Params): Promise<TrialView> {
    return this.trials.one(id);
  }

  @Delete(':id')
  @Answers(trialSchema)
  cancel(@Param(valid(trialParamsSchema)) { id }: Params): Promise<TrialView> {
    return this.trials.cancel(id);
  }

  @Get(':id/readers')
  @Allow('Admin')
  @Answers(trialReadersSchema)
  readers(
    @Caller() caller: SignedIn,
    @Param(valid(trialParamsSchema)) { id }: Params,
  ): Promise<TrialReaders> {
    return this.trials.readers(id, caller.accountId, correlationId());
  }
}
