import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drafts of the library's rules, shared by its admins; `docs/decisions/051-drafts-of-rules.md`. */
export class RulesDrafts1763000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table rules_draft (
        id uuid primary key,
        name text not null,
        rules jsonb not null,
        -- The day of the library on which they are to begin.
        begins_on text,
        why text not null,
        -- The latest version of the rules when it was saved.
        based_on integer not null,
        revision integer not null,
        created_by uuid references account on delete set null,
        created_at timestamptz not null,
        changed_by uuid references account on delete set null,
        changed_at timestamptz not null
      );
      create index rules_draft_created_by on rules_draft (created_by);
      create index rules_draft_changed_by on rules_draft (changed_by);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
