-- Merges of authors, genres, publishers and books, and what undoing one needs; docs/decisions/037-merges.md.

create table catalogue_merge (
  id uuid primary key,
  -- Of the request, so that a key names one request.
  digest text not null,
  kind text not null check (kind in ('author', 'genre', 'publisher', 'book')),
  kept_id integer not null,
  kept_name text not null,
  -- What the one that stays lacked and got, by column.
  filled jsonb not null,
  -- How many books another author, genre or publisher was written into.
  books integer not null,
  merged_by uuid references account on delete set null,
  merged_at timestamptz not null,
  undone_by uuid references account on delete set null,
  undone_at timestamptz,
  -- The command that undid it, so that a repeat gets its answer.
  undo_command uuid
);
create index catalogue_merge_by_time on catalogue_merge (merged_at desc, id);
create index catalogue_merge_kept on catalogue_merge (kind, kept_id);
create index catalogue_merge_merged_by on catalogue_merge (merged_by);
create index catalogue_merge_undone_by on catalogue_merge (undone_by);

-- Those that went, as they were.
create table merged_record (
  merge_id uuid not null references catalogue_merge on delete cascade,
  id integer not null,
  name text not null,
  record jsonb not null,
  primary key (merge_id, id)
);
create index merged_record_id on merged_record (id);

-- The books that an author, genre or publisher that went had. No reference to the book: it may be deleted.
create table merged_link (
  merge_id uuid not null,
  merged_id integer not null,
  book_id integer not null,
  place integer not null,
  -- Whether the book had the one that stays as well.
  had_kept boolean not null,
  primary key (merge_id, merged_id, book_id),
  foreign key (merge_id, merged_id) references merged_record on delete cascade
);

-- What stands for a book that was merged into another one and is gone. The log names it for ever; whoever counts or
-- shows what the log says reads through this table. Never a chain: kept_id is a book of today.
create table merged_book (
  id integer primary key,
  kept_id integer not null
);
create index merged_book_kept on merged_book (kept_id);

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
