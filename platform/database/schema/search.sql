-- What the catalogue is searched and sorted by. The database keeps it by itself, so that no writer can forget it
-- (docs/decisions/032-catalogue-search.md), and says which books changed, so that a process keeps what it remembers of all
-- the others (docs/decisions/032-catalogue-search.md).

create table book_search (
  book_id integer primary key references book on delete cascade,
  -- The title's words, folded, as one text: titles that begin with what was typed come first.
  title_start text collate "C" not null,
  -- The same of its other titles; "harry potter 1" is one of the first volume of a series.
  other_starts text[] collate "C" not null default '{}',
  -- Words of the title and of what else the book is called, of the series, and of the authors and what else they are called.
  main tsvector not null,
  -- These, words of the genres, the publisher and the authors' nationality; the ISBN after a "#", and the year and the language after "@".
  words tsvector not null,
  -- How much the book is read, see reading_level.
  level smallint not null default 0,
  -- The transaction that wrote the row: a process that keeps the words in memory reads what is new to it.
  changed_in xid8 not null default pg_current_xact_id()
);
create index book_search_changed_in on book_search (changed_in);
create index book_search_words on book_search using gin (words) with (fastupdate = off);
create index book_search_main on book_search using gin (main) with (fastupdate = off);
create index book_search_title_start on book_search (title_start, book_id);

create table book_search_removed (
  -- 0 for all books.
  book_id integer not null,
  changed_in xid8 not null default pg_current_xact_id()
);
create index book_search_removed_changed_in on book_search_removed (changed_in);

-- The copies once more, in a row that is narrow enough to be indexed by a number that changes with every rent.
create table book_shelf (
  book_id integer primary key references book on delete cascade,
  copies integer not null,
  -- The transaction that emptied the shelf of the book or put the first copy there; others between do not count.
  free_changed_in xid8 not null default pg_current_xact_id()
) with (fillfactor = 70);
create index book_shelf_by_copies on book_shelf (copies, book_id);
create index book_shelf_free_changed_in on book_shelf (free_changed_in);

-- Every word that a title, author, genre or publisher has or once had: what a misspelt word is corrected to.
-- "near" is the word and the word with one letter left out: two words within one slip of each other share one.
create table search_word (
  word text collate "C" primary key,
  near text[] not null,
  sound text collate "C" generated always as (search_sound(word)) stored
);
create index search_word_sound on search_word (sound);
create index search_word_near on search_word using gin (near) with (fastupdate = off);
create index search_word_trigrams on search_word using gin (word gin_trgm_ops) with (fastupdate = off);

-- How much each book is read, which orders what a search finds; docs/decisions/033-relevance.md.
create table book_reading (
  book_id integer primary key references book on delete cascade,
  -- How many readers rated it elsewhere, as the import said.
  ratings integer check (ratings >= 0),
  -- How often it was handed over here, as the log says; counted every hour.
  loans integer not null default 0 check (loans >= 0)
);

-- What was searched for and not found, without who searched; docs/decisions/037-merges.md.
create table search_without_result (
  -- Of the text, as what was searched for once is counted and not kept.
  digest text primary key,
  -- Null until it was searched for on two occasions.
  text text,
  times integer not null check (times > 0),
  -- Of those, how often other spellings of its words found something.
  corrected integer not null check (corrected >= 0),
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index search_without_result_last_at on search_without_result (last_at);
create index search_without_result_by_times on search_without_result (times desc, last_at desc, digest)
  where text is not null;

-- Telling processes what changed.

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

create function tell_catalogue_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('lectern_catalogue', '');
  return null;
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

create trigger tell_emptied after truncate on book for each statement execute function tell_catalogue_change();
create trigger tell_deleted after delete on book
  referencing old table as gone for each statement execute function tell_deleted_books();
-- A rent is none of it: it changes no match and no count.
create trigger tell_changed after update of
    isbn, title, description, publisher_id, published, copies_total, photo_url
  on book for each row
  when ((old.isbn, old.title, old.description, old.publisher_id, old.published, old.copies_total, old.photo_url)
    is distinct from
    (new.isbn, new.title, new.description, new.publisher_id, new.published, new.copies_total, new.photo_url))
  execute function tell_changed_book();
-- Its rows are written by refresh_book_search alone, which tells, and go with their books, which is told.
create trigger tell_emptied after truncate on book_search
  for each statement execute function tell_catalogue_change();
create trigger tell after insert or update or delete or truncate on author
  for each statement execute function tell_names();
create trigger tell after insert or update or delete or truncate on genre
  for each statement execute function tell_names();
create trigger tell after insert or update or delete or truncate on publisher
  for each statement execute function tell_names();

-- Making the rows.

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

-- Brings the search rows of these books to what the catalogue says, and tells which books they are.
-- Always by the keys of these books: in an import the tables outgrow what the planner knows of them, and it
-- would read all authors once for every book.
create function refresh_book_search(p_book_ids integer[]) returns void language sql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with wanted as materialized (
    select b.id, b.isbn, b.title, search_plain(b.title) as plain_title,
      concat_ws(' ', b.series, b.volume, b.original_title, array_to_string(b.other_titles, ' ')) as otherwise,
      b.original_title || b.other_titles || case when b.volume = '1' then b.series || ' 1' end as others,
      coalesce((
        select string_agg(search_initials(concat_ws(' ', a.firstname, a.lastname, array_to_string(a.other_names, ' '))), ' ')
        from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '') as authors,
      concat_ws(' ', p.name, (
        select string_agg(g.name, ' ')
        from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id), (
        select string_agg(a.nationality, ' ')
        from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id)) as rest,
      array_remove(array['@' || b.language,
        case when b.publication_date > '0001-01-01' then '@' || extract(year from b.publication_date)::integer end], null) as marks
    from book b left join publisher p on p.id = b.publisher_id
    where b.id = any(p_book_ids)
  ), folded as materialized (
    select id, left(plain_title, 200) as title_start,
      array(select distinct left(plain, 200) from unnest(others) other, search_plain(other) plain
        where plain not in ('', plain_title)) as other_starts,
      search_words(title, plain_title) || search_words(authors, search_plain(authors))
        || search_words(otherwise, search_plain(otherwise)) as main,
      search_words(rest, search_plain(rest)) as rest, search_isbn(isbn) || marks as marks
    from wanted
  ), known as (
    insert into search_word (word, near)
    select w, search_near(w) from (select distinct unnest(main || rest) w from folded) used
    where w ~ '[^0-9]' and not exists (select from search_word s where s.word = w)
    order by w
    on conflict do nothing
  )
  insert into book_search as present (book_id, title_start, other_starts, main, words)
  select id, title_start, other_starts, array_to_tsvector(main), array_to_tsvector(main || rest || marks) from folded
  order by id
  on conflict (book_id) do update
    set title_start = excluded.title_start, other_starts = excluded.other_starts, main = excluded.main,
      words = excluded.words, changed_in = pg_current_xact_id()
    where (present.title_start, present.other_starts, present.main, present.words)
      is distinct from (excluded.title_start, excluded.other_starts, excluded.main, excluded.words);
  select tell_books(p_book_ids)
$$;

-- Says that these books changed, although they may be found by the same words as before: two authors may have one name.
create function touch_book_search(p_book_ids integer[]) returns void language sql as $$
  update book_search set changed_in = pg_current_xact_id()
  where book_id = any(p_book_ids) and changed_in <> pg_current_xact_id();
  select tell_books(p_book_ids)
$$;

-- A writer of many rows sets lectern.search_later for its transaction and calls refresh_book_search once itself.
create function search_is_later() returns boolean language sql stable as $$
  select coalesce(current_setting('lectern.search_later', true), '') = 'on'
$$;

-- Eight steps for each doubling, 127 at most. A loan here counts as much as ten thousand ratings elsewhere.
create function reading_level(p_loans integer, p_ratings integer) returns smallint
language sql immutable parallel safe as $$
  select least(127, round(
    8 * ln(1 + p_loans + coalesce(p_ratings, 0) / 10000.0::float8) / ln(2.0::float8)))::smallint
$$;

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

-- When they are made.

create function book_inserted() returns trigger language plpgsql as $$
declare
  v_ids integer[] := array(select id from changed);
begin
  insert into book_shelf (book_id, copies) select id, copies_available from changed;
  -- The search rows of a writer of many are made at last, and named then.
  if not search_is_later() then perform refresh_book_search(v_ids);
  else perform tell_books(v_ids); end if;
  return null;
end $$;
create trigger book_inserted after insert on book
  referencing new table as changed for each statement execute function book_inserted();

-- A process keeps the orders by title and by number too, in which a change of case or of a hyphen counts.
create function book_changed() returns trigger language plpgsql as $$
begin
  if not search_is_later() then perform refresh_book_search(array[new.id]); end if;
  if (old.title, old.isbn) is distinct from (new.title, new.isbn) then
    update book_search set changed_in = pg_current_xact_id()
    where book_id = new.id and changed_in <> pg_current_xact_id();
  end if;
  return null;
end $$;
create trigger book_changed after update of title, original_title, other_titles, isbn, publisher_id, series, volume
  on book for each row
  when ((old.title, old.original_title, old.other_titles, old.isbn, old.publisher_id, old.series, old.volume)
    is distinct from
    (new.title, new.original_title, new.other_titles, new.isbn, new.publisher_id, new.series, new.volume))
  execute function book_changed();

-- A process keeps facets in memory, of which these are some (docs/decisions/034-facets.md).
create function book_facets_changed() returns trigger language plpgsql as $$
begin
  if not search_is_later() then perform refresh_book_search(array[new.id]); end if;
  perform touch_book_search(array[new.id]);
  return null;
end $$;
create trigger book_facets_changed after update of publisher_id, published, language on book for each row
  when ((old.publisher_id, old.published, old.language)
    is distinct from (new.publisher_id, new.published, new.language))
  execute function book_facets_changed();

create function book_copies_changed() returns trigger language plpgsql as $$
begin
  update book_shelf set copies = new.copies_available,
    free_changed_in = case when (old.copies_available > 0) <> (new.copies_available > 0)
      then pg_current_xact_id() else free_changed_in end
  where book_id = new.id;
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

-- Not put off in a transaction that makes the search rows later: they may turn out the same.
create function book_parts_touched() returns trigger language plpgsql as $$
begin
  perform touch_book_search(array(select distinct book_id from changed));
  perform touch_harvest(array(select distinct book_id from changed));
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

create function author_renamed() returns trigger language plpgsql as $$
begin
  perform refresh_book_search(array(select book_id from book_author where author_id = new.id));
  perform touch_harvest(array(select book_id from book_author where author_id = new.id));
  return null;
end $$;
create trigger author_renamed after update of firstname, lastname, other_names, nationality on author for each row
  when ((old.firstname, old.lastname, old.other_names, old.nationality)
    is distinct from (new.firstname, new.lastname, new.other_names, new.nationality))
  execute function author_renamed();

create function genre_renamed() returns trigger language plpgsql as $$
begin
  perform refresh_book_search(array(select book_id from book_genre where genre_id = new.id));
  perform touch_harvest(array(select book_id from book_genre where genre_id = new.id));
  return null;
end $$;
create trigger genre_renamed after update of name on genre for each row
  when (old.name is distinct from new.name) execute function genre_renamed();

create function publisher_renamed() returns trigger language plpgsql as $$
begin
  perform refresh_book_search(array(select id from book where publisher_id = new.id));
  perform touch_harvest(array(select id from book where publisher_id = new.id));
  return null;
end $$;
create trigger publisher_renamed after update of name on publisher for each row
  when (old.name is distinct from new.name) execute function publisher_renamed();

-- Queries of CQL, in which `*` and `?` stand for characters of a word, and `^` for the beginning or the end of a text.

-- A word as texts are folded, with these characters in it.
create function cql_folded(p_word text) returns text
language sql immutable strict parallel safe as $$
  select string_agg(case when part[1] in ('*', '?') then part[1] else public.search_plain(part[1]) end, '' order by place)
  from regexp_matches(btrim(p_word, '^'), '[*?]|[^*?]+', 'g') with ordinality x (part, place)
$$;

-- What a folded text is like that has these words beside each other; null where they have neither letters nor digits.
create function cql_pattern(p_words text[]) returns text
language sql immutable strict parallel safe as $$
  select case when p_words[1] like '^%' then '^' else '(^| )' end
    || string_agg(replace(replace(folded, '*', '[^ ]*'), '?', '[^ ]'), ' ' order by place)
    || case when p_words[cardinality(p_words)] like '%^' then '$' else '( |$)' end
  from unnest(p_words) with ordinality x (word, place), public.cql_folded(word) folded where folded <> ''
$$;

-- All of these words, or any of them, as books are searched by them. A number may be of the book or of its year.
create function cql_words(p_words text[], p_operator text) returns tsquery
language sql immutable strict parallel safe as $$
  select string_agg('(' || lexemes || ')', ' ' || p_operator || ' ')::tsquery from unnest(p_words) word, lateral (
    select string_agg(case when part ~ '^[0-9]{4,13}x?$' then format('(''%1$s'' | ''#%1$s'' | ''@%1$s'')', part)
      else '''' || left(substring(part from '^[^*?]+'), 60) || '''' || case when part ~ '[*?]' then ':*' else '' end end, ' & ') lexemes
    from string_to_table(public.cql_folded(word), ' ') part where part <> '') words
$$;
