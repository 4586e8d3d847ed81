import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the list of readers is searched and sorted by, and the record of roles given and taken. */
export class Readers1763000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A text without accents and case, its other characters as they are: an e-mail address keeps its shape.
      create function search_folded(p_text text) returns text
      language sql immutable strict parallel safe as $$
        select lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu")
      $$;

      -- The line breaks keep a search from running on from one field into the next.
      alter table account add column search_text text not null
        generated always as (search_folded(firstname || ' ' || lastname || E'\\n' || username || E'\\n' || email)) stored;
      create index account_search on account using gin (search_text gin_trgm_ops);
      create index account_by_username on account (username collate "pl-x-icu", id);
      create index account_by_name on account (fullname collate "pl-x-icu", id);

      -- Who gave and took which roles. It outlives the accounts that it names.
      create table role_change (
        id bigint generated always as identity primary key,
        account_id uuid not null,
        changed_by uuid not null,
        given text[] not null,
        taken text[] not null,
        at timestamptz not null
      );
      create index role_change_of_account on role_change (account_id, id);

      create function role_change_is_for_good() returns trigger language plpgsql as $$
      begin
        raise exception 'role_change is only ever added to';
      end $$;
      create trigger role_change_kept before update or delete on role_change
        for each row execute function role_change_is_for_good();
      create trigger role_change_not_emptied before truncate on role_change
        for each statement execute function role_change_is_for_good();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
