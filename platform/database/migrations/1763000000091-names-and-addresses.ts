import type { MigrationInterface, QueryRunner } from 'typeorm';
import { z } from 'zod';
import { nameKey } from '../entities/account-names.js';

const accountRows = z.array(z.object({ id: z.string(), username: z.string() }));

/** User names are told apart as people do it, and only a confirmed address is somebody's. */
export class NamesAndAddresses1763000000091 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table account add column name_key text');
    const accounts = accountRows.parse(await runner.query('select id, username from account'));
    await runner.query(
      `update account set name_key = known.name_key
       from unnest($1::uuid[], $2::text[]) known (id, name_key) where account.id = known.id`,
      [accounts.map(({ id }) => id), accounts.map(({ username }) => nameKey(username))],
    );
    await runner.query(`
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
