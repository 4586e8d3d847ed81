import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the catalogue's administration needs beside the catalogue itself. */
export class CatalogueAdmin1763000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NAMES);
    await runner.query(COVERS);
    await runner.query(REMOVAL);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const NAMES = `
  -- A name as it is compared with others: no accents, no case, single blanks. Unlike search_plain it keeps signs,
  -- as "C" and "C++" are two names.
  create function fold_name(p_text text) returns text
  language sql immutable strict parallel safe as $$
    select btrim(regexp_replace(
      lower(public.unaccent('public.unaccent'::regdictionary, normalize(p_text)) collate "und-x-icu"),
      '\\s+', ' ', 'g'))
  $$;

  -- No unique index: an import keeps the names of its source, which may differ by case alone. What a person adds
  -- is compared under a lock of the folded name.
  alter table author add column folded text collate "C"
    generated always as (fold_name(firstname || ' ' || lastname)) stored;
  alter table genre add column folded text collate "C" generated always as (fold_name(name)) stored;
  alter table publisher add column folded text collate "C" generated always as (fold_name(name)) stored;
  create index author_folded on author (folded);
  create index genre_folded on genre (folded);
  create index publisher_folded on publisher (folded);
  create index author_by_name on author (lastname collate "pl-x-icu", firstname collate "pl-x-icu", id);
  create index publisher_by_name on publisher (name collate "pl-x-icu", id);
`;

const COVERS = `
  -- Beside the books and not in them, so that reading books never reads pictures; in the database, so that one
  -- backup has everything and every process serves the same picture.
  create table book_cover (
    book_id integer primary key references book on delete cascade,
    -- Of the bytes: names this picture in its address, which may so be kept for ever.
    hash text not null,
    -- WebP, made by us.
    bytes bytea not null
  );
  alter table book_cover alter column bytes set storage external;
`;

const REMOVAL = `
  -- A book may go when none of its copies is out. Its settled holds stay: they tell a repeated rent that it has
  -- been answered. So a rule stands where the reference stood.
  alter table copy_hold drop constraint copy_hold_book_id_fkey;
  create function keep_lent_books() returns trigger language plpgsql as $$
  begin
    if exists (select from copy_hold h where h.book_id = old.id and h.state <> 'released') then
      raise exception 'copies of book % are out', old.id using errcode = 'LB004';
    end if;
    return old;
  end $$;
  create trigger keep_lent_books before delete on book for each row execute function keep_lent_books();
`;
