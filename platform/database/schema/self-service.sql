-- Devices by which readers help themselves, and what they are doing there.

create table device (
  -- What the log calls it.
  id uuid primary key default gen_random_uuid(),
  name text not null,
  kind text not null check (kind in ('kiosk', 'sip2')),
  languages text[] not null,
  asks_pin boolean not null,
  is_closed boolean not null,
  encoding text not null,
  hears_address boolean not null,
  -- Of the browser's cookie, or of the password.
  token_digest bytea unique,
  -- By what one that has a password signs in.
  login text unique,
  -- Of the code by which the next browser is bound.
  code_digest bytea,
  code_expires_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  -- It may nothing any more. Its row stays for its name.
  revoked_at timestamptz
);
create unique index device_code on device (code_digest) where code_digest is not null;

-- The reader at a device: one at a time.
create table self_service_visit (
  device_id uuid primary key references device on delete cascade,
  id uuid not null,
  account_id uuid not null references account on delete cascade,
  seen_at timestamptz not null
);
create index self_service_visit_of on self_service_visit (account_id);

-- What a scan at a device was found to ask for, written before it is done: a repeat does the same, whatever has changed since.
create table self_service_plan (
  device_id uuid not null references device on delete cascade,
  key text not null,
  asked text not null,
  plan jsonb not null,
  made_at timestamptz not null,
  primary key (device_id, key)
);
create index self_service_plan_made_at on self_service_plan (made_at);

-- The PIN of a reader's card, which a card that replaces it has too.
create table card_pin (
  account_id uuid primary key references account on delete cascade,
  hash text not null
);
