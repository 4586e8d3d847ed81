import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What names are compared by to propose duplicates, and which were found to be none; `docs/decisions/059-merges.md`. */
export class Duplicates1763000000080 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LIKENESS);
    await runner.query(COLUMNS);
    await runner.query(PAIRS);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const LIKENESS = `
  -- The words of a person's name in the order of the alphabet, so that "Rowling, J. K." is "J.K. Rowling". A first name of two or
  -- three capitals is initials, unless all of the name is in capitals.
  create function author_likeness(p_firstname text, p_lastname text) returns text
  language sql immutable strict parallel safe as $$
    select left(string_agg(w, ' ' order by w collate "C"), 200)
    from unnest(string_to_array(public.search_plain(regexp_replace(
      case when p_firstname || p_lastname ~ '[[:lower:]]'
        then regexp_replace(p_firstname, '\\m([[:upper:]])([[:upper:]])([[:upper:]])?\\M', '\\1 \\2 \\3', 'g')
        else p_firstname end || ' ' || p_lastname,
      '[''’ʼ]', '', 'g')), ' ')) w
    where w <> ''
  $$;

  -- Without what says the form of a company, and without blanks: "HarperCollins Inc." is "Harper Collins".
  create function publisher_likeness(p_name text) returns text
  language sql immutable strict parallel safe as $$
    select left(replace(regexp_replace(regexp_replace(
      public.search_plain(replace(p_name, '&', ' and ')), '^the ', ''),
      '( (and|inc|incorporated|ltd|limited|llc|llp|plc|corp|corporation|co|company|gmbh|ag|bv|nv|sa|spa|srl|sp z o o|s a|pty))+$',
      ''), ' ', ''), 200)
  $$;

  -- Each word in the singular, without blanks: "Sci-Fi Classics" is "Scifi classic".
  create function genre_likeness(p_name text) returns text
  language sql immutable strict parallel safe as $$
    select left(string_agg(
      case when w ~ '^..+[^aeiou]ies$' then left(w, -3) || 'y'
        when w ~ '(ss|x|ch|sh)es$' then left(w, -2)
        when w ~ '^..+[^s]s$' then left(w, -1)
        else w end, '' order by place), 200)
    from unnest(string_to_array(public.search_plain(replace(p_name, '&', ' and ')), ' ')) with ordinality x (w, place)
  $$;
`;

const COLUMNS = `
  alter table author add column likeness text collate "C"
    generated always as (author_likeness(firstname, lastname)) stored;
  alter table publisher add column likeness text collate "C" generated always as (publisher_likeness(name)) stored;
  alter table genre add column likeness text collate "C" generated always as (genre_likeness(name)) stored;
  create index author_likeness on author (likeness, id);
  create index publisher_likeness on publisher (likeness, id);
  create index genre_likeness on genre (likeness, id);
  -- An ISBN of ten digits has another one of thirteen.
  create index book_short_isbn on book (id) where length(isbn) = 10;
`;

const PAIRS = `
  -- What was proposed as duplicates and is not, by pairs.
  create table not_the_same (
    kind text not null check (kind in ('author', 'genre', 'publisher', 'book')),
    one integer not null,
    other integer not null check (other > one),
    said_by uuid references account on delete set null,
    said_at timestamptz not null,
    primary key (kind, one, other)
  );
  create index not_the_same_by_time on not_the_same (said_at desc);
  create index not_the_same_said_by on not_the_same (said_by);
`;
