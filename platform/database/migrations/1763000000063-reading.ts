import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How much each book is read, which orders what a search finds; `docs/decisions/055-relevance.md`. */
export class Reading1763000000063 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table book_reading (
        book_id integer primary key references book on delete cascade,
        -- How many readers rated it elsewhere, as the import said.
        ratings integer check (ratings >= 0),
        -- How often it was handed over here, as the log says; counted every hour.
        loans integer not null default 0 check (loans >= 0)
      );

      -- Eight steps for each doubling, 127 at most. A loan here counts as much as ten thousand ratings elsewhere.
      create function reading_level(p_loans integer, p_ratings integer) returns smallint
      language sql immutable parallel safe as $$
        select least(127, round(
          8 * ln(1 + p_loans + coalesce(p_ratings, 0) / 10000.0::float8) / ln(2.0::float8)))::smallint
      $$;

      alter table book_search add level smallint not null default 0;

      create function search_row_level() returns trigger language plpgsql as $$
      begin
        new.level := coalesce(
          (select public.reading_level(loans, ratings) from public.book_reading where book_id = new.book_id), 0);
        return new;
      end $$;
      create trigger search_row_level before insert on book_search
        for each row execute function search_row_level();

      create function reading_changed() returns trigger language plpgsql as $$
      declare
        v_level smallint := reading_level(new.loans, new.ratings);
      begin
        update book_search set level = v_level, changed_in = pg_current_xact_id()
        where book_id = new.book_id and level <> v_level;
        if found then perform tell_books(array[new.book_id]); end if;
        return null;
      end $$;
      create trigger reading_changed after insert or update of loans, ratings on book_reading
        for each row execute function reading_changed();
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
