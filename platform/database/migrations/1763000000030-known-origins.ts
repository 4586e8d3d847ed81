import type { MigrationInterface, QueryRunner } from 'typeorm';

export class KnownOrigins1763000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- From where the owner of an account has signed in: his browsers and addresses. Strangers who guess his password
      -- elsewhere do not keep him out there.
      create table known_origin (
        account_id uuid not null references account on delete cascade,
        -- A keyed hash of a browser's cookie or of an address. The key is not in the database.
        digest bytea not null,
        last_seen timestamptz not null,
        primary key (account_id, digest)
      );
      create index on known_origin (last_seen);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
