-- Reports on paper: what was asked for, how far it is, and the file.

create table report (
  id uuid primary key,
  kind text not null,
  options jsonb not null,
  -- What the catalogue was when it was asked for: who asks again with nothing changed gets the same file.
  catalogue text not null,
  state text not null check (state in ('waiting', 'printing', 'ready', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  attempts integer not null default 0,
  asked_by uuid references account on delete set null,
  asked_at timestamptz not null,
  -- When it last came further: one that stands still for long has lost its printer.
  touched_at timestamptz not null,
  made_at timestamptz,
  size integer,
  pages integer,
  failure_code text,
  failure text,
  check (state <> 'ready' or (made_at is not null and size is not null and pages is not null))
);
create index on report (asked_at);

-- The file in pieces, written and made visible in one transaction with the state 'ready'.
create table report_part (
  report_id uuid not null references report on delete cascade,
  place integer not null,
  -- It is compressed already.
  data bytea storage external not null,
  primary key (report_id, place)
);
