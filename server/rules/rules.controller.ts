import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { readOpeningHours, type OpeningHours } from '#contracts/rules/opening-hours.js';
import * as calls from '#contracts/rules/rule-views.js';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import type { SignedIn } from '../http/access.js';
import { correlationId } from '../http/correlation.js';
import { Serves, type Asked } from '../http/serves.js';
import { RuleChanges } from './rule-changes.js';
import { RuleDrafts } from './rule-drafts.js';
import * as drafts from '#contracts/rules/draft-views.js';
import type { RulesDraft } from '#contracts/rules/draft-views.js';

/** The rules of the library: all their versions, for staff; changed by admins; and for everybody when it is open. */
@Controller()
export class RulesController {
  constructor(
    private readonly changes: RuleChanges,
    private readonly drafts: RuleDrafts,
  ) {}

  @Serves(calls.readRules)
  overview({ query }: Asked<typeof calls.readRules>): Promise<RulesOverview> {
    return this.changes.overview(query.before);
  }

  // Before the route of one version, which would take this path for a number.
  @Serves(readOpeningHours)
  hours(): OpeningHours {
    return this.changes.openingHours();
  }

  @Serves(calls.readRulesVersion)
  version({ params }: Asked<typeof calls.readRulesVersion>): Promise<RulesVersion> {
    return this.changes.version(params.version);
  }

  @Serves(calls.changeRules)
  async change({ caller, body, key }: Asked<typeof calls.changeRules>): Promise<RulesOverview> {
    const { rules, from, after, why, draft } = body;
    const asked = { type: 'ChangeRules' as const, rules, from, after, changedBy: caller.pseudonym };
    await this.changes.decide(asked, contextOf(caller, asked, key), why);
    if (draft !== undefined) await this.drafts.remove(draft);
    return this.changes.overview();
  }

  @Serves(calls.withdrawRules)
  async withdraw({ caller, params }: Asked<typeof calls.withdrawRules>): Promise<RulesOverview> {
    const asked = { type: 'WithdrawRules' as const, ...params, withdrawnBy: caller.pseudonym };
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

/** Drafts of the rules, which admins share. `POST Rules` puts one in force. */
@Controller()
export class RuleDraftsController {
  constructor(private readonly drafts: RuleDrafts) {}

  @Serves(drafts.listDrafts)
  all(): Promise<RulesDraft[]> {
    return this.drafts.all();
  }

  @Serves(drafts.readDraft)
  get({ params }: Asked<typeof drafts.readDraft>): Promise<RulesDraft> {
    return this.drafts.get(params.id);
  }

  @Serves(drafts.addDraft)
  add({ caller, body, key = randomUUID() }: Asked<typeof drafts.addDraft>): Promise<RulesDraft> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'DraftRules', body);
    return this.drafts.add(commandId, body, caller.accountId);
  }

  @Serves(drafts.changeDraft)
  change({ caller, params, body }: Asked<typeof drafts.changeDraft>): Promise<RulesDraft> {
    return this.drafts.change(params.id, body, caller.accountId);
  }

  @Serves(drafts.removeDraft)
  async remove({ params }: Asked<typeof drafts.removeDraft>): Promise<RulesDraft[]> {
    await this.drafts.remove(params.id);
    return this.drafts.all();
  }
}
