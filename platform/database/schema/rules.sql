-- Drafts of the library's rules, shared by its admins (docs/decisions/021-drafts-of-rules.md), and trials of rules over the
-- log. The rules in force are events.

create table rules_draft (
  id uuid primary key,
  name text not null,
  rules jsonb not null,
  -- The day of the library on which they are to begin.
  begins_on text,
  why text not null,
  -- The latest version of the rules when it was saved.
  based_on integer not null,
  revision integer not null,
  created_by uuid references account on delete set null,
  created_at timestamptz not null,
  changed_by uuid references account on delete set null,
  changed_at timestamptz not null
);
create index rules_draft_created_by on rules_draft (created_by);
create index rules_draft_changed_by on rules_draft (changed_by);

create table rule_trial (
  id uuid primary key,
  rules jsonb not null,
  first_day date not null,
  last_day date not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress integer not null default 0 check (progress between 0 and 100),
  asked_by uuid references account on delete set null,
  asked_at timestamptz not null,
  -- When somebody last worked on it, or it was asked for.
  touched_at timestamptz not null default now(),
  answer jsonb,
  -- Whose fees would have changed most, by their pseudonyms.
  readers jsonb,
  failure text,
  check (state <> 'done' or (answer is not null and readers is not null)),
  check (state <> 'failed' or failure is not null)
);
-- One at a time.
create unique index rule_trial_under_way on rule_trial ((true)) where state in ('waiting', 'running');
