import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LinksAndJobs1763000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A used link is kept until it would have expired, so that opening it again can be told from a wrong one.
      alter table account_token add column used_at timestamptz;
      create index on account_token (expires);

      -- The id of an outbox row becomes the id of its job. A counter would begin again in a new database, and
      -- a Redis that outlived the old one would take the new job for one that it has done.
      alter table outbox drop column id;
      alter table outbox add column id uuid primary key default gen_random_uuid();
      alter table outbox add column correlation_id text;
      create index on outbox (created);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
