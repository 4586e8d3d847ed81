import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events carry codes. What a person says in words of one lies beside the log, and can be erased. */
export class EventNotes1763000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_note (
        event_id uuid primary key,
        note text not null,
        -- Of whom it speaks, or whose words they are: it goes with the account.
        account_id uuid references account on delete cascade,
        written_at timestamptz not null default now()
      );
      create index on event_note (account_id);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
