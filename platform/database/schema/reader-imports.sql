-- Files of readers, of their memberships and of their loans from an earlier system: read, looked at, then done. What they say of
-- people stands in the rows, and leaves them with the end of the work; the refused rows go a week later.

create table reader_import (
  id uuid primary key,
  kind text not null check (kind in ('readers', 'memberships', 'loans')),
  name text not null,
  state text not null check (state in ('reading', 'staged', 'running', 'done')),
  -- Of loans: whether the days late before they are taken over count.
  earlier_days boolean not null,
  -- The file's first line.
  header text[] not null default '{}',
  -- How many rows the work under way has done, of how many.
  handled integer not null default 0,
  total integer not null default 0,
  started_by uuid references account on delete set null,
  started_at timestamptz not null,
  -- When it last came further.
  touched_at timestamptz not null,
  -- How the readers whom it added are invited, from when on; null: not begun.
  invitations text check (invitations in ('running', 'paused', 'ended')),
  per_hour integer check (per_hour > 0),
  invite_from timestamptz
);
create index reader_import_started_at on reader_import (started_at desc);
create index reader_import_started_by on reader_import (started_by);
create index reader_import_invites on reader_import (id) where invitations = 'running';

create table reader_row (
  import_id uuid not null references reader_import on delete cascade,
  -- The line in its file, from 1.
  place integer not null,
  outcome text not null check (outcome in ('new', 'changed', 'same', 'unsure', 'waiting', 'refused')),
  -- Whose row it is, as it is shown; the cells as they came; what they say. Null once the row is done, or is to be kept no longer.
  name text,
  cells text[],
  data jsonb,
  -- All that it says, where it can be known only later what is to be done: whom an unsure one fits, or that a reader is still to come.
  said jsonb,
  candidates uuid[] not null default '{}',
  -- What the library has otherwise, by field: what it has, and what the row says.
  differs jsonb not null default '{}',
  -- Why it is refused or was left, or what is to be known of it.
  reason jsonb,
  -- No references: accounts go.
  account_id uuid,
  -- The id of the borrow that a loan is to become.
  borrow_id uuid,
  done text check (done in ('added', 'changed', 'left')),
  primary key (import_id, place)
);
create index reader_row_outcome on reader_row (import_id, outcome, place);

-- Readers whom an import added, and who choose their first password by a letter.
create table reader_invitation (
  account_id uuid primary key references account on delete cascade,
  import_id uuid not null references reader_import on delete cascade,
  -- When their letter was asked for.
  asked_at timestamptz
);
create index reader_invitation_of_import on reader_invitation (import_id, asked_at);
