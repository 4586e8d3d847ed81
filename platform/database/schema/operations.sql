-- What runs, how it does, and what is to be done by a job.

-- What a committed transaction wants done by a job. Taken from here into the queue, once.
create table outbox (
  -- Becomes the id of the job. A counter would begin again in a new database, and a Redis that outlived the old one would
  -- take the new job for one that it has done.
  id uuid primary key default gen_random_uuid(),
  queue text not null,
  job text not null,
  data jsonb not null,
  correlation_id text,
  created timestamptz not null default now()
);
create index on outbox (created);

-- By whose midnight the library counts its days. All processes take it from here.
create table library_time_zone (
  only_row boolean primary key default true check (only_row),
  -- Of the IANA database.
  name text not null,
  since timestamptz not null default now()
);

-- A row for each follower of the event log that does not get on, and what keeps it from its work. The one that is at work
-- takes its row away.
create table follower_state (
  name text primary key,
  state text not null check (state in ('retrying', 'stopped')),
  since timestamptz not null,
  reason text not null,
  stream text,
  revision bigint,
  position bigint,
  type text
);

-- A row for what each process does; it takes the row away when it ends, and one that was killed leaves it to age.
create table process_heartbeat (
  process uuid not null,
  kind text not null check (kind in ('server', 'projections', 'worker')),
  host text not null,
  pid integer not null,
  version text not null,
  node text not null,
  started timestamptz not null,
  seen timestamptz not null,
  -- What its probes found, by their names, and what it knows besides: no addresses, no words of errors.
  checks jsonb not null,
  facts jsonb not null,
  primary key (process, kind)
);

-- How each part does, as one of the processes concludes from all heartbeats.
create table part_state (
  part text primary key,
  level text not null check (level in ('ok', 'warning', 'bad')),
  reason text,
  facts jsonb not null,
  since timestamptz not null,
  -- When it was last looked at.
  seen timestamptz not null,
  -- From its first red moment until it has been well for a while.
  incident jsonb,
  -- A letter about it that waits for the mail server.
  owed jsonb,
  -- When letters about its going red were sent, of the last day.
  told timestamptz[] not null default '{}'
);

-- Backups made by the product itself, and those asked for.
create table backup_run (
  id uuid primary key,
  -- When it was asked for, or begun by the schedule.
  at timestamptz not null,
  ended timestamptz,
  scheduled boolean not null,
  state text not null check (state in ('asked', 'running', 'good', 'failed')),
  step text check (step in ('copying', 'restoring', 'comparing')),
  done bigint not null default 0,
  -- Its name in the folder for backups.
  name text,
  bytes bigint,
  events bigint,
  differences integer,
  failure text,
  check ((state in ('good', 'failed')) = (ended is not null))
);
-- One at a time.
create unique index on backup_run ((true)) where state in ('asked', 'running');
create index on backup_run (at desc);
