-- Addresses of others, which are told what happens (docs/decisions/055-events-for-others.md).

create table webhook (
  id uuid primary key,
  address text not null,
  kinds text[] not null,
  -- Whether readers' names and addresses go with it.
  names boolean not null,
  -- Encrypted, the present one first; a former one signs until its time is over.
  secrets jsonb not null,
  -- The place in the log up to which it has been told.
  commit_position bigint not null,
  prepare_position bigint not null,
  -- Without any success; next_try is when it is told again.
  failing_since timestamptz,
  tries integer not null default 0,
  next_try timestamptz,
  off_since timestamptz,
  off_why text check (off_why in ('admin', 'gone', 'gave-up')),
  last_at timestamptz,
  -- Which process tells it, and until when nobody else does.
  worker uuid,
  leased_until timestamptz,
  created_at timestamptz not null,
  check ((off_since is null) = (off_why is null))
);

-- The last tries; those before are deleted.
create table webhook_delivery (
  id bigint generated always as identity primary key,
  webhook_id uuid not null references webhook on delete cascade,
  -- The event; none where it was a test.
  stream text,
  revision bigint,
  -- The place of what is before it in the log.
  after_commit bigint,
  after_prepare bigint,
  -- When, what was answered, and how long it took.
  tried jsonb not null
);
create index webhook_delivery_of on webhook_delivery (webhook_id, id);

-- What admins changed. It outlives the webhook.
create table webhook_change (
  id bigint generated always as identity primary key,
  address text not null,
  what text not null,
  at timestamptz not null,
  by uuid references account on delete set null
);
create index webhook_change_by on webhook_change (by);
