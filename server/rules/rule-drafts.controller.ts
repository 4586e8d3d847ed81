import { randomUUID } from 'node:crypto';
import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import type { z } from 'zod';
import {
  newRulesDraftSchema,
  rulesDraftChangeSchema,
  rulesDraftParamsSchema,
  rulesDraftSchema,
  rulesDraftsSchema,
  type NewRulesDraft,
  type RulesDraft,
  type RulesDraftChange,
} from '#contracts/rules/draft-views.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Allow, Caller, type SignedIn } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { IdempotencyKey } from '../http/idempotency-key.js';
import { valid } from '../http/validation.js';
import { RuleDrafts } from './rule-drafts.js';

type Id = z.output<typeof rulesDraftParamsSchema>;

/** Drafts of the rules, which admins share. `POST Rules` puts one in force. */
@Controller('Rules/draft')
export class RuleDraftsController {
  constructor(private readonly drafts: RuleDrafts) {}

  @Get()
  @Allow('Admin', 'Auditor')
  @Answers(rulesDraftsSchema)
  all(): Promise<RulesDraft[]> {
    return this.drafts.all();
  }

  @Get(':id')
  @Allow('Admin', 'Auditor')
  @Answers(rulesDraftSchema)
  get(@Param(valid(rulesDraftParamsSchema)) { id }: Id): Promise<RulesDraft> {
    return this.drafts.get(id);
  }

  /** The same key is the same draft. */
  @Post()
  @Allow('Admin')
  @Answers(rulesDraftSchema)
  add(
    @Caller() caller: SignedIn,
    @Body(valid(newRulesDraftSchema)) body: NewRulesDraft,
    @IdempotencyKey() key: string = randomUUID(),
  ): Promise<RulesDraft> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'DraftRules', body);
    return this.drafts.add(commandId, body, caller.accountId);
  }

  @Put(':id')
  @Allow('Admin')
  @Answers(rulesDraftSchema)
  change(
    @Caller() { accountId }: SignedIn,
    @Param(valid(rulesDraftParamsSchema)) { id }: Id,
    @Body(valid(rulesDraftChangeSchema)) body: RulesDraftChange,
  ): Promise<RulesDraft> {
    return this.drafts.change(id, body, accountId);
  }

  /** @returns those that are left */
  @Delete(':id')
  @Allow('Admin')
  @Answers(rulesDraftsSchema)
  async remove(@Param(valid(rulesDraftParamsSchema)) { id }: Id): Promise<RulesDraft[]> {
    await this.drafts.remove(id);
    return this.drafts.all();
  }
}
