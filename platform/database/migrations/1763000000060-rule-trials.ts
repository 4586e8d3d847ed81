import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Trials of rules over the log: what was asked, how far it is, and what came of it. */
export class RuleTrials1763000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table rule_trial (
        id uuid primary key,
        rules jsonb not null,
        first_day date not null,
        last_day date not null,
        state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
        progress integer not null default 0 check (progress between 0 and 100),
        asked_by uuid references account on delete set null,
        asked_at timestamptz not null,
        -- When somebody last worked on it, or it was asked for.
        touched_at timestamptz not null default now(),
        answer jsonb,
        -- Whose fees would have changed most, by their pseudonyms.
        readers jsonb,
        failure text,
        check (state <> 'done' or (answer is not null and readers is not null)),
        check (state <> 'failed' or failure is not null)
      );
      -- One at a time.
      create unique index rule_trial_under_way on rule_trial ((true)) where state in ('waiting', 'running');
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
