-- Stock-takings, what was scanned in each, and what became of what they found (docs/decisions/031-stock-taking.md).

create table stock_taking (
  id uuid primary key,
  name text not null,
  -- The first and the last of its shelves, with all that stands on them; both null for the whole house.
  shelf_from text,
  shelf_until text,
  state text not null check (state in ('open', 'paused', 'finished')),
  started_by uuid references account on delete set null,
  started_at timestamptz not null,
  state_at timestamptz not null,
  -- When its scans were deleted, long after it was finished, and the figures of that moment
  -- (docs/decisions/031-stock-taking.md).
  closed_at timestamptz,
  scanned integer,
  expected integer,
  seen integer,
  check ((shelf_from is null) = (shelf_until is null)),
  check (closed_at is null or state = 'finished'),
  check ((closed_at is null) = (scanned is null)),
  check ((closed_at is null) = (expected is null)),
  check ((closed_at is null) = (seen is null))
);
create index stock_taking_started_at on stock_taking (started_at desc);
create index stock_taking_started_by on stock_taking (started_by);
create index stock_taking_to_close on stock_taking (state_at) where state = 'finished' and closed_at is null;

-- Each code once, at the shelf where it was seen last. What is no code of a copy has neither book nor copy.
create table stock_scan (
  stock_taking_id uuid not null references stock_taking on delete cascade,
  code text not null,
  book_id integer,
  copy integer,
  shelf text,
  scanned_by uuid references account on delete set null,
  scanned_at timestamptz not null,
  primary key (stock_taking_id, code)
);
create unique index stock_scan_copy on stock_scan (stock_taking_id, book_id, copy) where book_id is not null;
create index stock_scan_scanned_by on stock_scan (scanned_by);

-- What was done about a finding, and what the copy was before, so that it can be undone.
create table stock_resolution (
  stock_taking_id uuid not null references stock_taking on delete cascade,
  code text not null,
  book_id integer,
  copy integer,
  kind text not null,
  action text not null check (action in ('lost', 'move', 'bring-back', 'leave')),
  -- Those that were resolved together.
  batch uuid not null,
  condition_before text,
  mark_before text,
  -- Of the copy's last event before; the next one is the resolution's own.
  revision_before bigint,
  resolved_by uuid references account on delete set null,
  resolved_at timestamptz not null,
  primary key (stock_taking_id, code)
);
create index stock_resolution_batch on stock_resolution (batch);
create index stock_resolution_resolved_by on stock_resolution (resolved_by);

-- What a closed one had found and nobody had dealt with by then. What is missing has no code that was scanned.
create table stock_leftover (
  stock_taking_id uuid not null references stock_taking on delete cascade,
  kind text not null,
  code text,
  book_id integer,
  copy integer,
  shelf_mark text,
  condition text,
  shelf text,
  scanned_at timestamptz
);
create index stock_leftover_of_kind on stock_leftover (stock_taking_id, kind);
