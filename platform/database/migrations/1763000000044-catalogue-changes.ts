import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The catalogue says which books changed, so that a process keeps what it remembers of all the others;
 * `docs/decisions/027-what-a-save-changes.md`.
 */
export class CatalogueChanges1763000000044 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TELLING);
    await runner.query(REFRESH);
    await runner.query(TRIGGERS);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const TELLING = `
  -- Names the books on lectern_catalogue; a transaction that changes more than a hundred says '' instead: look at everything.
  create function tell_books(p_book_ids integer[]) returns void language plpgsql as $$
  declare
    v_told integer := coalesce(nullif(current_setting('lectern.books_told', true), ''), '0')::integer
      + cardinality(p_book_ids);
  begin
    if cardinality(p_book_ids) = 0 then return; end if;
    perform set_config('lectern.books_told', least(v_told, 101)::text, true);
    perform pg_notify('lectern_catalogue',
      case when v_told <= 100 then 'books ' || array_to_string(p_book_ids, ',') else '' end);
  end $$;

  create function tell_names() returns trigger language plpgsql as $$
  begin
    perform pg_notify('lectern_catalogue', tg_table_name::text);
    return null;
  end $$;

  create function tell_changed_book() returns trigger language plpgsql as $$
  begin
    perform tell_books(array[new.id]);
    return null;
  end $$;

  create function tell_deleted_books() returns trigger language plpgsql as $$
  begin
    perform tell_books(array(select id from gone));
    return null;
  end $$;
`;

const REFRESH = `
  -- As before, and tells which books they are.
  create or replace function refresh_book_search(p_book_ids integer[]) returns void language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    with wanted as materialized (
      select b.id, b.isbn, b.title, search_plain(b.title) as plain_title,
        coalesce((
          select string_agg(a.firstname || ' ' || a.lastname, ' ')
          from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '') as authors,
        p.name || ' ' || coalesce((
          select string_agg(g.name, ' ')
          from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id), '') as rest
      from book b join publisher p on p.id = b.publisher_id
      where b.id = any(p_book_ids)
    ), folded as materialized (
      select id, left(plain_title, 200) as title_start,
        search_words(title, plain_title) || search_words(authors, search_plain(authors)) as main,
        search_words(rest, search_plain(rest)) as rest, search_isbn(isbn) as isbn
      from wanted
    ), known as (
      insert into search_word (word, near)
      select w, search_near(w) from (select distinct unnest(main || rest) w from folded) used
      where w ~ '[^0-9]' and not exists (select from search_word s where s.word = w)
      order by w
      on conflict do nothing
    )
    insert into book_search as present (book_id, title_start, main, words)
    select id, title_start, array_to_tsvector(main), array_to_tsvector(main || rest || isbn) from folded
    order by id
    on conflict (book_id) do update
      set title_start = excluded.title_start, main = excluded.main, words = excluded.words,
        changed_in = pg_current_xact_id()
      where (present.title_start, present.main, present.words)
        is distinct from (excluded.title_start, excluded.main, excluded.words);
    select tell_books(p_book_ids)
  $$;

  -- A process keeps the orders by title and by number too, in which a change of case or of a hyphen counts.
  create or replace function book_changed() returns trigger language plpgsql as $$
  begin
    perform refresh_book_search(array[new.id]);
    if (old.title, old.isbn) is distinct from (new.title, new.isbn) then
      update book_search set changed_in = pg_current_xact_id()
      where book_id = new.id and changed_in <> pg_current_xact_id();
    end if;
    return null;
  end $$;
`;

const TRIGGERS = `
  drop trigger tell on book;
  create trigger tell_emptied after truncate on book for each statement execute function tell_catalogue_change();
  create trigger tell_deleted after delete on book
    referencing old table as gone for each statement execute function tell_deleted_books();
  create trigger tell_changed after update of
      isbn, title, description, publisher_id, publication_date, copies_total, photo_url
    on book for each row
    when ((old.isbn, old.title, old.description, old.publisher_id, old.publication_date, old.copies_total, old.photo_url)
      is distinct from
      (new.isbn, new.title, new.description, new.publisher_id, new.publication_date, new.copies_total, new.photo_url))
    execute function tell_changed_book();

  create or replace function book_inserted() returns trigger language plpgsql as $$
  declare
    v_ids integer[] := array(select id from changed);
  begin
    insert into book_shelf (book_id, copies) select id, copies_available from changed;
    -- The search rows of a writer of many are made at last, and named then.
    if not search_is_later() then perform refresh_book_search(v_ids);
    else perform tell_books(v_ids); end if;
    return null;
  end $$;

  -- Its rows are written by refresh_book_search alone, which tells, and go with their books, which is told.
  drop trigger tell on book_search;
  create trigger tell_emptied after truncate on book_search
    for each statement execute function tell_catalogue_change();

  drop trigger tell on author;
  drop trigger tell on genre;
  drop trigger tell on publisher;
  create trigger tell after insert or update or delete or truncate on author
    for each statement execute function tell_names();
  create trigger tell after insert or update or delete or truncate on genre
    for each statement execute function tell_names();
  create trigger tell after insert or update or delete or truncate on publisher
    for each statement execute function tell_names();
`;
