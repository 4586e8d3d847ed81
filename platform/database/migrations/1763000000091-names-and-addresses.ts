import type { MigrationInterface, QueryRunner } from 'typeorm';

/** User names are told apart as people do it, and only a confirmed address is somebody's. */
export class NamesAndAddresses1763000000091 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Whoever was there before with letters that look like others logs in by the address.
      alter table account add column name_key text;
      update account set name_key = lower(username);
      alter table account alter column name_key set not null;
      drop index account_username;
      create unique index account_name on account (name_key);

      -- An address that nobody has confirmed keeps nobody from having it.
      drop index account_email;
      create unique index account_email on account (lower(email)) where email_confirmed;
      create index account_by_email on account (lower(email));
      create index account_unconfirmed on account (created) where not email_confirmed;

      -- A browser that is known, before it is said whose login it begins.
      create index known_origin_digest on known_origin (digest);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
