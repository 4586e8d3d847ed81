import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Attempts1763000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Attempts that are limited, counted for all servers together. A row goes when the last of its attempts has left
      -- the window.
      create table attempt (
        what text not null,
        -- A keyed hash of what is counted by: an address, a name, or both. The key is not in the database.
        key bytea not null,
        -- Whose account was tried, where there is one: a new password forgets its wrong sign-ins.
        account_id uuid references account on delete cascade,
        at timestamptz[] not null,
        expires_at timestamptz not null,
        primary key (what, key)
      );
      create index on attempt (expires_at);
      create index on attempt (account_id) where account_id is not null;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
