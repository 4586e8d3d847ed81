import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DomainError } from '#contracts/domain-error.js';
import { ruleSetSchema } from '#contracts/rules/rule-set.js';
import {
  MAX_DRAFTS,
  type NewRulesDraft,
  type RulesDraft,
  type RulesDraftChange,
} from '#contracts/rules/draft-views.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { CHANNELS, notify } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';

const viewRow = z
  .object({
    id: z.uuid(),
    name: z.string(),
    rules: ruleSetSchema,
    begins_on: z.string().nullable(),
    why: z.string(),
    based_on: z.int(),
    revision: z.int(),
    created_by: z.string().nullable(),
    created_at: z.date(),
    changed_by: z.string().nullable(),
    changed_at: z.date(),
  })
  .transform(
    ({
      begins_on: from,
      based_on: basedOn,
      created_by: createdBy,
      created_at: createdAt,
      changed_by: changedBy,
      changed_at: changedAt,
      ...same
    }): RulesDraft => ({
      ...same,
      ...{ from, basedOn, createdBy, changedBy },
      createdAt: createdAt.toISOString(),
      changedAt: changedAt.toISOString(),
    }),
  );

const VIEW = `
  select d.id, d.name, d.rules, d.begins_on, d.why, d.based_on, d.revision,
    c.fullname as created_by, d.created_at, e.fullname as changed_by, d.changed_at
  from rules_draft d left join account c on c.id = d.created_by left join account e on e.id = d.changed_by`;

/** Rules that admins prepare together. They are no part of the log: nothing is decided by them. */
@Injectable()
export class RuleDrafts {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** The one that was changed last first. */
  all(): Promise<RulesDraft[]> {
    return queryRows(this.database, viewRow, `${VIEW} order by d.changed_at desc, d.id limit ${MAX_DRAFTS}`);
  }

  /** @throws DomainError RulesDraftNotFound */
  async get(id: string): Promise<RulesDraft> {
    const row = await queryRow(this.database, viewRow, `${VIEW} where d.id = $1`, [id]);
    if (!row) throw notFound();
    return row;
  }

  /**
   * @param id the same for every attempt at the same request
   * @throws DomainError TooManyRulesDrafts
   */
  async add(id: string, draft: NewRulesDraft, accountId: string): Promise<RulesDraft> {
    const { rowCount } = await this.database.query(
      `insert into rules_draft (id, name, rules, begins_on, why, based_on, revision, created_by, created_at, changed_by, changed_at)
       select $1, $2, $3, $4, $5, $6, 1, $7, $8, $7, $8 where (select count(*) from rules_draft) < $9
       on conflict (id) do nothing`,
      [id, ...valuesOf(draft), accountId, this.clock.now(), MAX_DRAFTS],
    );
    if (rowCount === 0) {
      const known = await queryRow(this.database, viewRow, `${VIEW} where d.id = $1`, [id]);
      if (known) return known;
      throw new DomainError('TooManyRulesDrafts', m.rules_too_many_drafts({ count: MAX_DRAFTS }));
    }
    await this.tell();
    return this.get(id);
  }

  /** @throws DomainError RulesDraftNotFound, EditedMeanwhile */
  async change(id: string, draft: RulesDraftChange, accountId: string): Promise<RulesDraft> {
    const { rowCount } = await this.database.query(
      `update rules_draft set name = $2, rules = $3, begins_on = $4, why = $5, based_on = $6,
         revision = revision + 1, changed_by = $7, changed_at = $8
       where id = $1 and revision = $9`,
      [id, ...valuesOf(draft), accountId, this.clock.now(), draft.revision],
    );
    const now = await this.get(id);
    if (rowCount === 0) {
      const who = now.changedBy ?? m.rules_somebody_first();
      throw new DomainError('EditedMeanwhile', m.rules_draft_edited_meanwhile({ who }));
    }
    await this.tell();
    return now;
  }

  /** Does nothing where it is gone already. */
  async remove(id: string): Promise<void> {
    const { rowCount } = await this.database.query('delete from rules_draft where id = $1', [id]);
    if (rowCount !== 0) await this.tell();
  }

  private tell(): Promise<void> {
    return notify(this.database, CHANNELS.rules, '');
  }
}

const valuesOf = ({ name, rules, from, why, basedOn }: NewRulesDraft) => [
  ...[name, JSON.stringify(rules), from, why, basedOn],
];

function notFound(): DomainError {
  return new DomainError('RulesDraftNotFound', m.rules_draft_unknown());
}
