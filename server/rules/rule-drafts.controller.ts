import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import * as calls from '#contracts/rules/draft-views.js';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import { commandIdentity } from '#platform/event-log/command-identity.js';
import { Serves, type Asked } from '../http/serves.js';
import { RuleDrafts } from './rule-drafts.js';

/** Drafts of the rules, which admins share. `POST Rules` puts one in force. */
@Controller()
export class RuleDraftsController {
  constructor(private readonly drafts: RuleDrafts) {}

  @Serves(calls.listDrafts)
  all(): Promise<RulesDraft[]> {
    return this.drafts.all();
  }

  @Serves(calls.readDraft)
  get({ params }: Asked<typeof calls.readDraft>): Promise<RulesDraft> {
    return this.drafts.get(params.id);
  }

  @Serves(calls.addDraft)
  add({ caller, body, key = randomUUID() }: Asked<typeof calls.addDraft>): Promise<RulesDraft> {
    const { commandId } = commandIdentity(key, caller.pseudonym, 'DraftRules', body);
    return this.drafts.add(commandId, body, caller.accountId);
  }

  @Serves(calls.changeDraft)
  change({ caller, params, body }: Asked<typeof calls.changeDraft>): Promise<RulesDraft> {
    return this.drafts.change(params.id, body, caller.accountId);
  }

  @Serves(calls.removeDraft)
  async remove({ params }: Asked<typeof calls.removeDraft>): Promise<RulesDraft[]> {
    await this.drafts.remove(params.id);
    return this.drafts.all();
  }
}
