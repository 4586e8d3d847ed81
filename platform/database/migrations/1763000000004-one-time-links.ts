import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OneTimeLinks1763000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A used link is kept until it would have expired, so that opening it again can be told from a wrong one.
      alter table account_token add column used_at timestamptz;
      create index on account_token (expires);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
