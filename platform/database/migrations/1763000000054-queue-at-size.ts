import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the librarian's queue needs to stay fast with a million borrows. */
export class QueueAtSize1763000000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What a search of the queue finds a reader by.
      alter table account add column plain_name text not null
        generated always as (search_plain(firstname || ' ' || lastname)) stored;
      create index account_plain_name on account using gin (plain_name gin_trgm_ops);

      -- The orders of the queue, each in both directions. A later version of the read model has them from its beginning.
      do $$ begin
        if to_regclass('read_model.borrow') is not null then
          create index on read_model.borrow (status, issued_at nulls first, borrow_id);
          create index on read_model.borrow (status, due_date nulls first, borrow_id);
          create index on read_model.borrow (status, returned_at nulls first, borrow_id);
          drop index if exists read_model.borrow_issued_at_idx;
        end if;
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
