import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events carry codes. What a person says in words of one lies beside the log, and can be erased. */
export class EventNotes1763000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table event_note (
        event_id uuid primary key,
        note text not null,
        -- Whose event it is, and whose words they are, as the log calls them: it goes with either account.
        about uuid references account (pseudonym) on delete cascade,
        written_by uuid references account (pseudonym) on delete cascade,
        written_at timestamptz not null default now()
      );
      create index on event_note (about);
      create index on event_note (written_by);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
