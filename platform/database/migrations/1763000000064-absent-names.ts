import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A book whose publisher or genre nobody knows has none. Imports gave such books to a publisher and a genre "Unknown";
 * a form asks a publisher for its address and a genre for its description, so those without are the imports'.
 */
export class AbsentNames1763000000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table book alter column publisher_id drop not null');
    await runner.query(REFRESH);
    await runner.query(MEND);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const REFRESH = `
  -- As before, and a book may be without a publisher.
  create or replace function refresh_book_search(p_book_ids integer[]) returns void language sql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
    with wanted as materialized (
      select b.id, b.isbn, b.title, search_plain(b.title) as plain_title,
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
`;

// The search rows are built once for all, not by the trigger of each book.
const MEND = `
  select set_config('lectern.search_later', 'on', true);
  alter table book disable trigger book_changed;
  alter table book disable trigger tell_changed;

  create temporary table mended on commit drop as
  select b.id from book b join publisher p on p.id = b.publisher_id
  where p.name = 'Unknown' and p.adress = '' and p.phone = '' and p.website = ''
  union
  select bg.book_id from book_genre bg join genre g on g.id = bg.genre_id
  where g.name = 'Unknown' and g.description = '';

  update book b set publisher_id = null from publisher p
  where p.id = b.publisher_id and p.name = 'Unknown' and p.adress = '' and p.phone = '' and p.website = '';
  delete from book_genre bg using genre g
  where g.id = bg.genre_id and g.name = 'Unknown' and g.description = '';
  delete from publisher where name = 'Unknown' and adress = '' and phone = '' and website = '';
  delete from genre where name = 'Unknown' and description = '';

  alter table book enable trigger book_changed;
  alter table book enable trigger tell_changed;
  -- They name the word no more; it stays where a title or another name has it.
  select refresh_book_search(array(select id from mended));
  delete from search_word where word = 'unknown' and not exists (
    select from book_search where words @@ 'unknown'::tsquery);
  select set_config('lectern.search_later', 'off', true);
`;
