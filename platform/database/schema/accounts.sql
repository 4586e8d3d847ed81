-- Who has an account, what they may do, their card, and what the desk is to know of them.

create table account (
  id uuid primary key,
  -- What the event log calls a person; only this column maps it to the account.
  pseudonym uuid not null default gen_random_uuid() constraint account_pseudonym unique,
  username text not null,
  -- What the user name is compared by, as people tell names apart: see nameKey in account-names.ts.
  name_key text not null,
  email text not null,
  email_confirmed boolean not null default false,
  password_hash text not null,
  firstname text not null,
  lastname text not null,
  fullname text generated always as (firstname || ' ' || lastname) stored,
  -- What a search for readers looks in. The line breaks keep it from running on from one field into the next.
  search_text text not null
    generated always as (search_folded(firstname || ' ' || lastname || E'\n' || username || E'\n' || email)) stored,
  -- What a search of the queue finds a reader by.
  plain_name text not null generated always as (search_plain(firstname || ' ' || lastname)) stored,
  date_of_birth date not null,
  gender text not null,
  country text not null,
  city text not null,
  adress text not null,
  postal_code text not null,
  -- What librarians know of them besides: how to reach them, who answers for a child, the last day of the membership.
  phone text,
  guardian text,
  member_until date,
  -- In which they read and are written to; null where they never chose.
  language text,
  -- The permission sets that it has: those built in by their names, others by their ids.
  roles text[] not null default '{Reader}',
  -- What the reader is to the rules; docs/decisions/020-rules-as-data.md.
  kind text not null default 'adult' check (kind in ('adult', 'child', 'staff')),
  -- Tokens of an earlier session number are refused.
  session integer not null default 1,
  created timestamptz not null default now(),
  version integer not null default 1
);
create unique index account_name on account (name_key);
-- An address that nobody has confirmed keeps nobody from having it.
create unique index account_email on account (lower(email)) where email_confirmed;
create index account_by_email on account (lower(email));
create index account_unconfirmed on account (created) where not email_confirmed;
create index account_by_username on account (username collate "pl-x-icu", id);
create index account_by_name on account (fullname collate "pl-x-icu", id);
create index account_search on account using gin (search_text gin_trgm_ops);
create index account_plain_name on account using gin (plain_name gin_trgm_ops);
create index on account using gin (fullname gin_trgm_ops);
-- Those whose membership is over, or is so soon.
create index account_member_until on account (member_until) where member_until is not null;
-- Two of one name, born on one day, are perhaps one.
create index account_born on account (date_of_birth);
-- Lists of one kind find the few readers that are not of the usual one.
create index account_kind on account (kind) where kind <> 'adult';

-- Whose name, username or address changed lately: a process that keeps them in memory reads these again.
create table account_search_change (
  pseudonym uuid primary key,
  changed_in xid8 not null
);
create index account_search_changed_in on account_search_change (changed_in);

create function account_search_changed() returns trigger language plpgsql as $$
begin
  insert into account_search_change (pseudonym, changed_in)
    select distinct p, pg_current_xact_id() from unnest(array[old.pseudonym, new.pseudonym]) p where p is not null
    on conflict (pseudonym) do update set changed_in = excluded.changed_in;
  return null;
end $$;
create trigger search_changed after update on account for each row
  when ((old.pseudonym, old.search_text) is distinct from (new.pseudonym, new.search_text))
  execute function account_search_changed();
create trigger search_begun after insert or delete on account for each row execute function account_search_changed();

-- What an admin put together of the named permissions (contracts/accounts/permissions.ts), beside the sets that are built in.
-- One that was removed stays, for what is recorded of it.
create table permission_set (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- Whoever has a set is of staff.
  permissions text[] not null check (cardinality(permissions) > 0),
  -- Up to how much of a fee is waived alone, in grosze; null: there is no limit.
  waiver_limit integer default 0 check (waiver_limit >= 0),
  version integer not null default 1,
  removed_at timestamptz
);
create unique index permission_set_name on permission_set (lower(name)) where removed_at is null;

-- Who gave and took which roles. It outlives the accounts that it names.
create table role_change (
  id bigint generated always as identity primary key,
  account_id uuid not null,
  changed_by uuid not null,
  given text[] not null,
  taken text[] not null,
  at timestamptz not null
);
create index role_change_of_account on role_change (account_id, id);

create function role_change_is_for_good() returns trigger language plpgsql as $$
begin
  raise exception 'role_change is only ever added to';
end $$;
create trigger role_change_kept before update or delete on role_change
  for each row execute function role_change_is_for_good();
create trigger role_change_not_emptied before truncate on role_change
  for each statement execute function role_change_is_for_good();

-- Each reader's card, and those that it replaced; docs/decisions/026-codes-of-copies-and-cards.md.
create table reader_card (
  -- As new_card_number makes it out; or, of a card from an earlier system, as it is printed there.
  number text primary key check (number ~ '^[0-9A-Z]{1,40}$'),
  account_id uuid not null references account on delete cascade,
  issued_at timestamptz not null default now(),
  -- Another card took its place. Its number stays, so that the desk can say so.
  replaced_at timestamptz,
  blocked_at timestamptz
);
create unique index reader_card_in_use on reader_card (account_id) where replaced_at is null;
create index reader_card_of_account on reader_card (account_id);
create index reader_card_blocked on reader_card (account_id) where replaced_at is null and blocked_at is not null;

-- As the cards of libraries have it: a 2 for a reader, twelve digits, and a check digit by Luhn. The twelve are 48 bits
-- of chance, of which a uuid has its first twelve places.
create function new_card_number() returns text language plpgsql volatile as $$
declare
  v_digits text := '2' || lpad(
    ((('x' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 12))::bit(48)::bigint) % 1000000000000)::text, 12, '0');
  v_sum integer := 0;
  v_digit integer;
begin
  for v_place in 1..13 loop
    v_digit := substr(v_digits, 14 - v_place, 1)::integer;
    if v_place % 2 = 1 then v_digit := v_digit * 2 - case when v_digit > 4 then 9 else 0 end; end if;
    v_sum := v_sum + v_digit;
  end loop;
  return v_digits || ((10 - v_sum % 10) % 10)::text;
end $$;

-- Makes out a new card; one that the reader had has been replaced before.
create function make_out_card(p_account_id uuid) returns text language plpgsql as $$
declare
  v_number text;
begin
  loop
    insert into reader_card (number, account_id) values (new_card_number(), p_account_id)
    on conflict (number) do nothing returning number into v_number;
    if v_number is not null then return v_number; end if;
  end loop;
end $$;

create function account_gets_card() returns trigger language plpgsql as $$
begin
  perform make_out_card(new.id);
  return null;
end $$;
create trigger gets_card after insert on account for each row execute function account_gets_card();

-- What the librarians want said at the desk when this reader comes, in their own words: never in the event log, and gone
-- with the account.
create table reader_notice (
  account_id uuid primary key references account on delete cascade,
  message text not null,
  -- Nothing can be rented by this reader or handed to them until it is taken away.
  blocks boolean not null,
  written_by uuid references account on delete set null,
  written_at timestamptz not null
);
create index reader_notice_by on reader_notice (written_by);
create index reader_notice_blocks on reader_notice (account_id) where blocks;
