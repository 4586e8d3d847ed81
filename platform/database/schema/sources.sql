-- Where books are asked for by their ISBN, and sets of records that are followed. The row of the
-- highest version holds; the others say who changed what, and when.
create table book_sources (
  version integer primary key,
  sources jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid references account on delete set null
);
create index book_sources_changed_by on book_sources (changed_by);

-- How a set was followed last.
create table harvest (
  source_id uuid primary key,
  -- The day (UTC) from which it is asked for changes next; null: all of it.
  since text,
  began_at timestamptz not null,
  -- When it last came further; one that comes no further is begun anew.
  touched_at timestamptz not null,
  ended_at timestamptz,
  -- Null where all went well.
  outcome text,
  -- What the source said.
  detail text not null,
  records integer not null,
  deleted integer not null,
  import_id uuid references marc_import on delete set null
);
create index harvest_import on harvest (import_id);
