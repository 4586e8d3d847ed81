-- What the library says of itself: its name, its colours, its own pages. The row of the highest version holds; the others say who
-- changed what, and when.
create table library_facts (
  version integer primary key,
  facts jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid references account on delete set null
);
create index library_facts_changed_by on library_facts (changed_by);

-- Logos, drawn anew by us, by the digest of their bytes; those of past versions stay.
create table library_logo (
  digest text primary key,
  bytes bytea not null
);

-- What a demo brought that an admin asked for in the set-up, so that it can be taken away again as one. What somebody has changed
-- since, by its version, is theirs and stays.
create table demo_book (book_id integer primary key references book on delete cascade);
create table demo_reader (account_id uuid primary key references account on delete cascade);
