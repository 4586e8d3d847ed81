import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A book's series and its volume are fields. Imports wrote them into the description: those that can be read in one way
 * only are taken out of it, and the sentence that stood for a missing description goes too.
 */
export class Series1763000000074 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    await runner.query(REFRESH);
    await runner.query(TRIGGERS);
    await runner.query(MEND);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const COLUMNS = `
  alter table book add series text;
  -- As it is printed: '1', '1-3', '0.5'.
  alter table book add volume text;
  alter table book add constraint book_volume_of_series check (volume is null or series is not null);
  create index book_by_series on book (lower(series)) where series is not null;

  -- What volumes are put in order by; null for one that begins with no number.
  create function volume_order(p_volume text) returns numeric
  language sql immutable strict parallel safe as $$
    select substring(p_volume from '^[0-9]{1,9}(?:[.][0-9]{1,9})?')::numeric
  $$;
`;

const REFRESH = `
  -- As before, and a book is found by its series and volume as it is by its title.
  create or replace function refresh_book_search(p_book_ids integer[]) returns void language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    with wanted as materialized (
      select b.id, b.isbn, b.title, search_plain(b.title) as plain_title,
        concat_ws(' ', b.series, b.volume) as series,
        coalesce((
          select string_agg(a.firstname || ' ' || a.lastname, ' ')
          from book_author ba join author a on a.id = ba.author_id where ba.book_id = b.id), '') as authors,
        coalesce(p.name || ' ', '') || coalesce((
          select string_agg(g.name, ' ')
          from book_genre bg join genre g on g.id = bg.genre_id where bg.book_id = b.id), '') as rest
      from book b left join publisher p on p.id = b.publisher_id
      where b.id = any(p_book_ids)
    ), folded as materialized (
      select id, left(plain_title, 200) as title_start,
        search_words(title, plain_title) || search_words(authors, search_plain(authors))
          || search_words(series, search_plain(series)) as main,
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
`;

const TRIGGERS = `
  drop trigger book_changed on book;
  create trigger book_changed after update of title, isbn, publisher_id, series, volume on book for each row
    when ((old.title, old.isbn, old.publisher_id, old.series, old.volume)
      is distinct from (new.title, new.isbn, new.publisher_id, new.series, new.volume))
    execute function book_changed();
`;

// "Series: Discworld, #9; Rincewind #4. No description yet." The first series is the book's, others stay where they are. What has
// two numbers in one, as "Dark-Hunter #5, Were-Hunter #1", stays as it is. The search rows are built once for all.
const MEND = `
  alter table book disable trigger book_changed;
  alter table book disable trigger tell_changed;

  create temporary table mended on commit drop as
  select b.id, f.found[1] as series, f.found[2] as volume,
    case when f.found[3] = '; ' then 'Series: ' else '' end || substr(b.description, length(f.whole) + 1) as description
  from book b cross join lateral (
    select regexp_match(b.description, p.pattern) as found,
      (regexp_match(b.description, '(' || p.pattern || ')'))[1] as whole
    from (select
      '^Series: ([^()#;]{0,199}[^()#;,:[:space:]])[,:]? *# *'
      || '([0-9]+(?:[.][0-9]+)?(?:(?: ?[-–&+/] ?|, )[0-9]+(?:[.][0-9]+)?)*(?:[,:] Part [0-9]+(?: of [0-9]+)?)?)'
      || '(; (?=[^#.;]*#)|[.] )' as pattern) p
  ) f
  where b.description like 'Series: %' and f.found is not null and length(f.found[2]) <= 40;

  update book b set series = m.series, volume = m.volume, description = m.description from mended m where m.id = b.id;
  update book set description = regexp_replace(description, ' ?No description yet[.]$', '')
  where description = 'No description yet.' or description ~ '^Series: .* No description yet[.]$';

  alter table book enable trigger book_changed;
  alter table book enable trigger tell_changed;
  select refresh_book_search(array(select id from mended));
`;
