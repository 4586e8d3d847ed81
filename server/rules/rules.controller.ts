import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import type { z } from 'zod';
import { openingHoursSchema, type OpeningHours } from '#contracts/rules/opening-hours.js';
import {
  rulesChangeSchema,
  rulesOverviewSchema,
  rulesParamsSchema,
  rulesQuerySchema,
  rulesVersionSchema,
  type RulesChange,
  type RulesOverview,
  type RulesVersion,
} from '#contracts/rules/rule-views.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Allow, Caller, ConfirmedWithin, type SignedIn } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { correlationId } from '../http/correlation.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { RuleChanges } from './rule-changes.js';
import { RuleDrafts } from './rule-drafts.js';

type Version = z.output<typeof rulesParamsSchema>;

/** The rules of the library: all their versions, for staff; changed by admins; and for everybody when it is open. */
@Controller('Rules')
export class RulesController {
  constructor(
    private readonly changes: RuleChanges,
    private readonly drafts: RuleDrafts,
  ) {}

  @Get()
  @Allow('Admin', 'Auditor')
  @Answers(rulesOverviewSchema)
  overview(
    @Query(valid(rulesQuerySchema)) { before }: z.output<typeof rulesQuerySchema>,
  ): Promise<RulesOverview> {
    return this.changes.overview(before);
  }

  // Before the route of one version, which would take this path for a number.
  @Get('hours')
  @Allow('Everybody')
  @Answers(openingHoursSchema)
  hours(): OpeningHours {
    return this.changes.openingHours();
  }

  @Get(':version')
  @Allow('Admin', 'Auditor')
  @Answers(rulesVersionSchema)
  version(@Param(valid(rulesParamsSchema)) { version }: Version): Promise<RulesVersion> {
    return this.changes.version(version);
  }

  @Post()
  @Allow('Admin')
  @ConfirmedWithin()
  @Answers(rulesOverviewSchema)
  async change(
    @Caller() caller: SignedIn,
    @Body(valid(rulesChangeSchema)) { rules, from, after, why, draft }: RulesChange,
    @IdempotencyKey() key?: string,
  ): Promise<RulesOverview> {
    const asked = { type: 'ChangeRules' as const, rules, from, after, changedBy: caller.pseudonym };
    await this.changes.decide(asked, contextOf(caller, asked, key), why);
    if (draft !== undefined) await this.drafts.remove(draft);
    return this.changes.overview();
  }

  @Delete(':version')
  @Allow('Admin')
  @ConfirmedWithin()
  @Answers(rulesOverviewSchema)
  async withdraw(
    @Caller() caller: SignedIn,
    @Param(valid(rulesParamsSchema)) { version }: Version,
  ): Promise<RulesOverview> {
    const asked = { type: 'WithdrawRules' as const, version, withdrawnBy: caller.pseudonym };
    await this.changes.decide(asked, contextOf(caller, asked));
    return this.changes.overview();
  }
}

function contextOf(caller: SignedIn, asked: { type: string }, key: string = randomUUID()) {
  return {
    actor: caller.pseudonym,
    correlationId: correlationId(),
    ...commandIdentity(key, caller.pseudonym, asked.type, asked),
  };
}
