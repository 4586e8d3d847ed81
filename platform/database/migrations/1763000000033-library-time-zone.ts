import type { MigrationInterface, QueryRunner } from 'typeorm';

export class LibraryTimeZone1763000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- By whose midnight the library counts its days. All processes take it from here.
      create table library_time_zone (
        only_row boolean primary key default true check (only_row),
        -- Of the IANA database.
        name text not null,
        since timestamptz not null default now()
      );

      -- Searches by date find the day of issue too. A later version of the read model has the index from its beginning.
      do $$ begin
        if to_regclass('read_model.borrow') is not null then
          create index on read_model.borrow (issued_at);
        end if;
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
