import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the event log calls a person, and only this table maps to the account. Whoever was there before keeps the id, by
 * which the log knows her already.
 */
export class Pseudonyms1763000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table account add column pseudonym uuid;
      update account set pseudonym = id;
      alter table account
        alter column pseudonym set not null,
        alter column pseudonym set default gen_random_uuid(),
        add constraint account_pseudonym unique (pseudonym);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
