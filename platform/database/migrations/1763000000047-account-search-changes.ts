import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose name, username or address changed lately: a process that keeps them in memory reads these again. */
export class AccountSearchChanges1763000000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table account_search_change (
        pseudonym uuid primary key,
        changed_in xid8 not null
      );
      create index account_search_changed_in on account_search_change (changed_in);

      create function account_search_changed() returns trigger language plpgsql as $$
      begin
        insert into account_search_change (pseudonym, changed_in)
          select distinct p, pg_current_xact_id() from unnest(array[old.pseudonym, new.pseudonym]) p where p is not null
          on conflict (pseudonym) do update set changed_in = excluded.changed_in;
        return null;
      end $$;
      create trigger search_changed after update on account for each row
        when ((old.pseudonym, old.search_text) is distinct from (new.pseudonym, new.search_text))
        execute function account_search_changed();
      create trigger search_begun after insert or delete on account for each row execute function account_search_changed();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
