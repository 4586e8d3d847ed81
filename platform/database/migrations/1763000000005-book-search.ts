import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the catalogue is searched and sorted by. The database keeps it by itself, so that no writer can
 * forget it; `docs/decisions/005-catalogue-search.md` says why it has this shape.
 */
export class BookSearch1763000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(WORDS);
    await runner.query(REFRESH);
    await runner.query(TRIGGERS);
    await runner.query(EXISTING_BOOKS);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const TABLES = `
  -- A rent changes copies_available alone. That stays a change within the page (no index knows the column).
  alter table book drop column search_text;
  alter table book set (fillfactor = 85);
  create index book_by_title on book (title collate "pl-x-icu", id);

  create table book_search (
    book_id integer primary key references book on delete cascade,
    -- The title's words, folded, as one text: titles that begin with what was typed come first.
    title_start text collate "C" not null,
    -- Words of the title and of the authors.
    main tsvector not null,
    -- Words of the title, the authors, the genres, the publisher, and the ISBN after a "#".
    words tsvector not null,
    -- The transaction that wrote the row: a process that keeps the words in memory reads what is new to it.
    changed_in xid8 not null default pg_current_xact_id()
  );
  create index book_search_changed_in on book_search (changed_in);
  create table book_search_removed (
    -- 0 for all books.
    book_id integer not null,
    changed_in xid8 not null default pg_current_xact_id()
  );
  create index book_search_removed_changed_in on book_search_removed (changed_in);
  create index book_search_words on book_search using gin (words) with (fastupdate = off);
  create index book_search_main on book_search using gin (main) with (fastupdate = off);
  create index book_search_title_start on book_search (title_start, book_id);

  -- The copies once more, in a row that is narrow enough to be indexed by a number that changes with every rent.
  create table book_shelf (
    book_id integer primary key references book on delete cascade,
    copies integer not null
  ) with (fillfactor = 70);
  create index book_shelf_by_copies on book_shelf (copies, book_id);

  -- Every word that a title, author, genre or publisher has or once had: what a misspelt word is corrected to.
  -- "near" is the word and the word with one letter left out: two words within one slip of each other share one.
  create table search_word (
    word text collate "C" primary key,
    near text[] not null
  );
  create index search_word_near on search_word using gin (near) with (fastupdate = off);
  create index search_word_trigrams on search_word using gin (word gin_trgm_ops) with (fastupdate = off);
`;

const WORDS = `
  -- A text as searches compare it: no accents, no case, anything but letters and digits a blank.
  create function search_plain(p_text text) returns text
  language sql immutable strict parallel safe as $$
    select btrim(regexp_replace(
      lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu"),
      '[^[:alnum:]]+', ' ', 'g'))
  $$;

  -- The words of what a person typed.
  create function search_query_words(p_text text) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(left(w, 60)), '{}') from unnest(string_to_array(search_plain(p_text), ' ')) w where w <> ''
  $$;

  -- The words that a text is found by, some of them twice. "Spider-Man" is found by spider, man and spiderman;
  -- "J.K." by j, k and jk. Few texts have such words, so the others are spared the work.
  create function search_joined_words(p_text text, p_plain text) returns text[]
  language sql immutable strict parallel safe as $$
    select coalesce(array_agg(left(w, 60)), '{}') from (
      select unnest(string_to_array(p_plain, ' ')) w
      union all
      select replace(search_plain(token), ' ', '') from regexp_split_to_table(p_text, '\\s+') token
      where token ~ '[[:alnum:]][^[:alnum:]]+[[:alnum:]]'
    ) found where w <> ''
  $$;
  create function search_words(p_text text, p_plain text) returns text[]
  language sql immutable parallel safe as $$
    select case when p_text ~ '[[:alnum:]][^[:alnum:][:space:]]+[[:alnum:]]|[^[:space:]]{60}'
      then search_joined_words(p_text, p_plain) else string_to_array(p_plain, ' ') end
  $$;

  -- The ISBN without hyphens, and an ISBN-10 as its ISBN-13 too. Marked, so that the year 2001 in a title is not
  -- drowned by all the numbers that begin like it.
  create function search_other_isbn(p_isbn text) returns text[]
  language sql immutable strict parallel safe as $$
    select case
      when plain ~ '^[0-9]{9}[0-9x]$' then
        array['#' || plain, '#978' || left(plain, 9) || (
          select (10 - sum(substr('978' || plain, n, 1)::integer * case when n % 2 = 0 then 3 else 1 end) % 10) % 10
          from generate_series(1, 12) n)]
      when plain <> '' then array['#' || plain]
      else '{}' end
    from (select lower(regexp_replace(p_isbn, '[^0-9A-Za-z]', '', 'g')) plain) p
  $$;
  create function search_isbn(p_isbn text) returns text[]
  language sql immutable parallel safe as $$
    select case when p_isbn ~ '^[0-9]{13}$' then array['#' || p_isbn] else search_other_isbn(p_isbn) end
  $$;

  create function search_near(p_word text) returns text[]
  language sql immutable strict parallel safe as $$
    select array_agg(distinct w) from (
      select p_word w
      union all
      select left(p_word, n - 1) || substr(p_word, n + 1) from generate_series(1, char_length(p_word)) n
      where char_length(p_word) > 2
    ) variants
  $$;
`;

const REFRESH = `
  -- Brings the search rows of these books to what the catalogue says.
  -- Always by the keys of these books: in an import the tables outgrow what the planner knows of them, and it
  -- would read all authors once for every book.
  create function refresh_book_search(p_book_ids integer[]) returns void language sql
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
        is distinct from (excluded.title_start, excluded.main, excluded.words)
  $$;
`;

const TRIGGERS = `
  -- A writer of many rows sets lectern.search_later for its transaction and calls refresh_book_search once itself.
  create function search_is_later() returns boolean language sql stable as $$
    select coalesce(current_setting('lectern.search_later', true), '') = 'on'
  $$;

  create function tell_catalogue_change() returns trigger language plpgsql as $$
  begin
    perform pg_notify('lectern_catalogue', '');
    return null;
  end $$;

  create function book_inserted() returns trigger language plpgsql as $$
  begin
    insert into book_shelf (book_id, copies) select id, copies_available from changed;
    if not search_is_later() then
      perform refresh_book_search(array(select id from changed));
    end if;
    return null;
  end $$;
  create trigger book_inserted after insert on book
    referencing new table as changed for each statement execute function book_inserted();

  create function book_changed() returns trigger language plpgsql as $$
  begin
    perform refresh_book_search(array[new.id]);
    return null;
  end $$;
  create trigger book_changed after update of title, isbn, publisher_id on book for each row
    when ((old.title, old.isbn, old.publisher_id) is distinct from (new.title, new.isbn, new.publisher_id))
    execute function book_changed();

  create function book_copies_changed() returns trigger language plpgsql as $$
  begin
    update book_shelf set copies = new.copies_available where book_id = new.id;
    return null;
  end $$;
  create trigger book_copies_changed after update of copies_available on book for each row
    when (old.copies_available <> new.copies_available) execute function book_copies_changed();

  create function book_parts_changed() returns trigger language plpgsql as $$
  begin
    if not search_is_later() then
      perform refresh_book_search(array(select distinct book_id from changed));
    end if;
    return null;
  end $$;
  create trigger book_author_added after insert on book_author
    referencing new table as changed for each statement execute function book_parts_changed();
  create trigger book_author_removed after delete on book_author
    referencing old table as changed for each statement execute function book_parts_changed();
  create trigger book_genre_added after insert on book_genre
    referencing new table as changed for each statement execute function book_parts_changed();
  create trigger book_genre_removed after delete on book_genre
    referencing old table as changed for each statement execute function book_parts_changed();

  create function author_renamed() returns trigger language plpgsql as $$
  begin
    perform refresh_book_search(array(select book_id from book_author where author_id = new.id));
    return null;
  end $$;
  create trigger author_renamed after update of firstname, lastname on author for each row
    when ((old.firstname, old.lastname) is distinct from (new.firstname, new.lastname))
    execute function author_renamed();

  create function genre_renamed() returns trigger language plpgsql as $$
  begin
    perform refresh_book_search(array(select book_id from book_genre where genre_id = new.id));
    return null;
  end $$;
  create trigger genre_renamed after update of name on genre for each row
    when (old.name is distinct from new.name) execute function genre_renamed();

  create function publisher_renamed() returns trigger language plpgsql as $$
  begin
    perform refresh_book_search(array(select id from book where publisher_id = new.id));
    return null;
  end $$;
  create trigger publisher_renamed after update of name on publisher for each row
    when (old.name is distinct from new.name) execute function publisher_renamed();

  create function book_search_removed() returns trigger language plpgsql as $$
  begin
    if tg_op = 'TRUNCATE' then insert into book_search_removed (book_id) values (0);
    else insert into book_search_removed (book_id) select book_id from removed; end if;
    return null;
  end $$;
  create trigger book_search_removed after delete on book_search
    referencing old table as removed for each statement execute function book_search_removed();
  create trigger book_search_emptied after truncate on book_search
    for each statement execute function book_search_removed();

  -- Counts and orders that a process remembers end here. A rent is none of it: it changes no match and no count.
  create trigger tell after insert or delete or truncate or update of
      isbn, title, description, publisher_id, publication_date, copies_total, photo_url
    on book for each statement execute function tell_catalogue_change();
  create trigger tell after insert or update or delete or truncate on book_search
    for each statement execute function tell_catalogue_change();
  create trigger tell after insert or update or delete or truncate on author
    for each statement execute function tell_catalogue_change();
  create trigger tell after insert or update or delete or truncate on genre
    for each statement execute function tell_catalogue_change();
  create trigger tell after insert or update or delete or truncate on publisher
    for each statement execute function tell_catalogue_change();
`;

const EXISTING_BOOKS = `
  insert into book_shelf (book_id, copies) select id, copies_available from book;
  select refresh_book_search(array(select id from book));
`;
