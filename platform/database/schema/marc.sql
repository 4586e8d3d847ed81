-- Records of MARC 21: those of the books, kept whole, and the imports that brought them, which can be undone as one
-- (docs/decisions/053-marc.md).

create table marc_record (
  book_id integer primary key references book on delete cascade,
  -- Fields 001 and 003, by which the record is known when it comes again.
  control text,
  agency text not null,
  form text not null check (form in ('iso2709', 'marcxml')),
  -- As it came.
  bytes bytea not null
);
create index marc_record_control on marc_record (control, agency) where control is not null;

create table marc_import (
  id uuid primary key,
  name text not null,
  state text not null check (state in ('reading', 'staged', 'running', 'done', 'undoing', 'undone')),
  -- In these fields the file wins over what the catalogue has. What the catalogue lacks is taken in any case.
  wins text[] not null,
  -- Of a book whose record names none.
  copies integer not null check (copies > 0),
  -- How many rows the work under way has done, of how many.
  handled integer not null default 0,
  total integer not null default 0,
  started_by uuid references account on delete set null,
  started_at timestamptz not null,
  -- When it last came further.
  touched_at timestamptz not null
);
create index marc_import_started_at on marc_import (started_at desc);
create index marc_import_started_by on marc_import (started_by);

create table marc_row (
  import_id uuid not null references marc_import on delete cascade,
  -- Of the record in its file, from 1.
  place integer not null,
  outcome text not null check (outcome in ('new', 'changed', 'same', 'unsure', 'refused')),
  chosen boolean not null,
  title text not null,
  -- The number that the book has or would get; null where there is no book to be.
  number text,
  control text,
  agency text not null default '',
  -- The book that it is of, and of an unsure one those that it may be of. No references: books go.
  book_id integer,
  candidates integer[] not null default '{}',
  -- Why it is refused, or was left.
  reason jsonb,
  -- What the catalogue has otherwise, by field: what it has, and what the record says.
  differs jsonb not null default '{}',
  form text check (form in ('iso2709', 'marcxml')),
  bytes bytea,
  done text check (done in ('added', 'changed', 'left', 'undone')),
  -- The book before, and its version after; what undoing needs.
  before jsonb,
  version integer,
  primary key (import_id, place)
);
create index marc_row_outcome on marc_row (import_id, outcome, place);
create index marc_row_number on marc_row (import_id, number);
create index marc_row_book on marc_row (import_id, book_id) where book_id is not null;
