-- How people prove who they are: sessions, mailed links, second factors, and the limits of guessing.

-- One-time links; only a digest of the token is kept.
create table account_token (
  digest text primary key,
  account_id uuid not null references account on delete cascade,
  purpose text not null,
  expires timestamptz not null,
  created timestamptz not null default now(),
  -- A used link is kept until it would have expired, so that opening it again can be told from a wrong one.
  used_at timestamptz
);
create index on account_token (account_id, purpose);
create index on account_token (expires);

-- Who is signed in, and where. A session that has ended has no row.
create table session (
  id uuid primary key,
  account_id uuid not null references account on delete cascade,
  created timestamptz not null,
  -- Written at most once a minute.
  last_used timestamptz not null,
  -- The end in any case, however much it is used.
  expires timestamptz not null,
  -- What its owner recognizes it by: "Firefox on Windows".
  device text not null,
  -- The network that it was begun from, without the part that names one machine.
  network text not null,
  -- When its owner last proved who they are: by signing in.
  authenticated_at timestamptz not null,
  -- When they last did so again, asked before something dangerous; null: not since they signed in.
  confirmed_at timestamptz,
  -- When they last gave a second factor; null: never in this session.
  second_factor_at timestamptz,
  -- By which provider it was begun, what that calls it, and where it is ended there; null where it was begun here.
  sign_on jsonb
);
create index on session (account_id, last_used);
create index on session ((sign_on ->> 'provider'), (sign_on ->> 'sid')) where sign_on is not null;

-- From where the owner of an account has signed in: their browsers and addresses. Strangers who guess the password
-- elsewhere do not keep the owner out there.
create table known_origin (
  account_id uuid not null references account on delete cascade,
  -- A keyed hash of a browser's cookie or of an address. The key is not in the database.
  digest bytea not null,
  last_seen timestamptz not null,
  primary key (account_id, digest)
);
create index on known_origin (last_seen);
-- A browser that is known, before it is said whose login it begins.
create index known_origin_digest on known_origin (digest);

-- Attempts that are limited, counted for all servers together. A row goes when the last of its attempts has left
-- the window.
create table attempt (
  what text not null,
  -- A keyed hash of what is counted by: an address, a name, or both. The key is not in the database.
  key bytea not null,
  -- Whose account was tried, where there is one: a new password forgets its wrong sign-ins.
  account_id uuid references account on delete cascade,
  at timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (what, key)
);
create index on attempt (expires_at);
create index on attempt (account_id) where account_id is not null;

-- Keys that encrypt what has to be read again, such as the secret of a code app. Each is itself encrypted with a key
-- that is derived from a setting: another setting encrypts these rows again, and nothing that they encrypted.
create table data_key (
  id integer generated always as identity primary key,
  wrapped bytea not null,
  created timestamptz not null
);

create table totp (
  account_id uuid primary key references account on delete cascade,
  key_id integer not null references data_key,
  secret bytea not null,
  created timestamptz not null,
  -- When its first code was given. Before, it is no second factor.
  confirmed_at timestamptz,
  -- The time step of the newest code that was taken: that code and older ones are refused.
  last_step bigint
);

create table recovery_code (
  account_id uuid not null references account on delete cascade,
  digest bytea not null,
  used_at timestamptz,
  primary key (account_id, digest)
);

create table passkey (
  -- What the authenticator calls it, as base64url.
  id text primary key,
  account_id uuid not null references account on delete cascade,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created timestamptz not null,
  last_used_at timestamptz
);
create index on passkey (account_id);

-- Something begun that a second call completes: a sign-in, a passkey, a confirmation.
create table ticket (
  digest bytea primary key,
  purpose text not null,
  -- Nobody's where a passkey is to say who signs in.
  account_id uuid references account on delete cascade,
  -- What a passkey has to sign, once.
  challenge text,
  -- Of the session that it becomes.
  sign_on jsonb,
  expires_at timestamptz not null
);
create index on ticket (expires_at);
create index on ticket (account_id);

-- Where people can sign in instead of here. The row of the highest version holds; the others say who changed what, and when.
create table sign_on_providers (
  version integer primary key,
  providers jsonb not null,
  changed_at timestamptz not null,
  changed_by uuid references account on delete set null
);
create index sign_on_providers_changed_by on sign_on_providers (changed_by);

-- What the library proves itself to a provider by; the present one alone.
create table sign_on_secret (
  provider text primary key,
  key_id integer not null references data_key,
  sealed bytea not null
);

-- What was begun at a provider and comes back once: a sign-on by its state, or a new account by a ticket. Of both there is only a
-- digest, and of the browser that began it.
create table sign_on_attempt (
  digest bytea primary key,
  provider text not null,
  browser bytea not null,
  kept jsonb not null,
  expires_at timestamptz not null
);
create index on sign_on_attempt (expires_at);

-- Whom a provider calls by which name, for good: claims such as an address can become somebody else's.
create table sign_on_identity (
  provider text not null,
  issuer text not null,
  subject text not null,
  account_id uuid not null references account on delete cascade,
  created timestamptz not null,
  -- The permission sets that it has by their groups there.
  given text[] not null default '{}',
  primary key (provider, issuer, subject),
  -- Nobody else of the same provider is this account.
  unique (account_id, provider, issuer)
);

-- Logouts that a provider has told of: each counts once.
create table sign_on_logout (
  provider text not null,
  token_id bytea not null,
  expires_at timestamptz not null,
  primary key (provider, token_id)
);
create index on sign_on_logout (expires_at);
