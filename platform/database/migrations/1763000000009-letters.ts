import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Letters1763000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create schema letters;

      -- How far the log was looked through for letters. No row before the first start, which begins at the log's end.
      create table letters.checkpoint (
        only_row boolean primary key default true check (only_row),
        commit_position bigint not null,
        prepare_position bigint not null,
        events bigint not null
      );

      -- One row for each letter about a borrow, whatever became of it; neither address nor text.
      create table letters.letter (
        -- The id of the event that the letter tells of, or what else it is due to. Never asked for twice.
        cause text primary key,
        kind text not null,
        account_id uuid not null,
        borrow_id uuid not null,
        caused_at timestamptz not null,
        state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'dropped')),
        -- Who is sending it, since when.
        claim uuid,
        claimed_at timestamptz,
        settled_at timestamptz
      );
      create index on letters.letter (borrow_id, kind, caused_at);
      create index on letters.letter (caused_at);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
