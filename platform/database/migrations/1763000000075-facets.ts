import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A book's language, and what a process needs that keeps facets in memory: which books have other authors, genres, years or
 * languages than before, and of which the last copy left the shelf or the first came back; `docs/decisions/057-facets.md`.
 */
export class Facets1763000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LANGUAGE);
    await runner.query(TOUCH);
    await runner.query(SHELF);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const LANGUAGE = `
  -- ISO 639: of two letters where there is such a code, otherwise of three; null where nobody knows it.
  alter table book add language text check (language ~ '^[a-z]{2,3}$');
`;

const TOUCH = `
  -- Says that these books changed, although they may be found by the same words as before: two authors may have one name.
  create function touch_book_search(p_book_ids integer[]) returns void language sql as $$
    update book_search set changed_in = pg_current_xact_id()
    where book_id = any(p_book_ids) and changed_in <> pg_current_xact_id();
    select tell_books(p_book_ids)
  $$;

  create function book_facets_changed() returns trigger language plpgsql as $$
  begin
    perform touch_book_search(array[new.id]);
    return null;
  end $$;
  create trigger book_facets_changed after update of publisher_id, publication_date, language on book for each row
    when ((old.publisher_id, old.publication_date, old.language)
      is distinct from (new.publisher_id, new.publication_date, new.language))
    execute function book_facets_changed();

  -- Not put off in a transaction that makes the search rows later: they may turn out the same.
  create function book_parts_touched() returns trigger language plpgsql as $$
  begin
    perform touch_book_search(array(select distinct book_id from changed));
    return null;
  end $$;
  create trigger touch_added after insert on book_author
    referencing new table as changed for each statement execute function book_parts_touched();
  create trigger touch_updated after update on book_author
    referencing new table as changed for each statement execute function book_parts_touched();
  create trigger touch_removed after delete on book_author
    referencing old table as changed for each statement execute function book_parts_touched();
  create trigger touch_added after insert on book_genre
    referencing new table as changed for each statement execute function book_parts_touched();
  create trigger touch_updated after update on book_genre
    referencing new table as changed for each statement execute function book_parts_touched();
  create trigger touch_removed after delete on book_genre
    referencing old table as changed for each statement execute function book_parts_touched();
`;

const SHELF = `
  -- The transaction that emptied the shelf of the book or put the first copy there; others between do not count.
  alter table book_shelf add free_changed_in xid8 not null default pg_current_xact_id();
  create index book_shelf_free_changed_in on book_shelf (free_changed_in);

  create or replace function book_copies_changed() returns trigger language plpgsql as $$
  begin
    update book_shelf set copies = new.copies_available,
      free_changed_in = case when (old.copies_available > 0) <> (new.copies_available > 0)
        then pg_current_xact_id() else free_changed_in end
    where book_id = new.id;
    return null;
  end $$;
`;
