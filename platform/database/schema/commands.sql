-- Commands with an Idempotency-Key that a rule refused: a repeat gets the same answer for a day. It names nobody:
-- the id is a hash of who sent it and of the key, and the sentence holds titles and numbers
-- (docs/decisions/004-refusals-by-key.md).
create table refused_command (
  command_id uuid primary key,
  -- A row without a code is not an answer yet: somebody is about to refuse, and reads the log once more first.
  announcement uuid not null,
  digest text,
  code text,
  detail text,
  announced_at timestamptz not null,
  check (num_nulls(digest, code, detail) in (0, 3))
);
create index on refused_command (announced_at);

-- One of two attempts at a command waits here for the other, until the transaction ends.
create function lock_command(p_command_id uuid) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_command_id::text, 32))
$$;

-- A refusal is announced before the log is read for the last time. Returns the row as it is: perhaps that of another
-- attempt, perhaps final. Rows of p_since and before no longer count.
create function announce_refusal(p_command_id uuid, p_announcement uuid, p_at timestamptz, p_since timestamptz)
returns setof refused_command language plpgsql as $$
begin
  delete from refused_command where command_id = p_command_id and announced_at <= p_since;
  insert into refused_command (command_id, announcement, announced_at)
    values (p_command_id, p_announcement, p_at) on conflict do nothing;
  return query select * from refused_command where command_id = p_command_id;
end $$;

-- Before a command is accepted: withdraws the announcement of another attempt, and returns a refusal that is final.
create function admit_command(p_command_id uuid, p_since timestamptz)
returns setof refused_command language plpgsql as $$
begin
  delete from refused_command where command_id = p_command_id and (code is null or announced_at <= p_since);
  return query select * from refused_command where command_id = p_command_id and code is not null;
end $$;
