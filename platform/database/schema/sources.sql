-- Where books are asked for by their ISBN, and sets of records that are followed. The row of the
-- highest version holds; the others say who changed what, and when.
create table book_sources (
  version integer primary key,
  sources jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid references account on delete set null
);
create index book_sources_changed_by on book_sources (changed_by);

-- How a set was followed last, as the page shows it.
create table source_harvest (
  source_id uuid primary key,
  harvest jsonb not null,
  -- When it last came further; one that comes no further is begun anew.
  touched_at timestamptz not null
);
