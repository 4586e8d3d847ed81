-- Who looked at whose history. Rows are only ever added: there is one for each kind of look by the same
-- person at the same reader in a window of time, so that many looks in a row are one. No foreign keys, as
-- what was looked at stays recorded when an account goes; no names, as ids say whom it was about.
create table audit_look (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  auditor_id uuid not null,
  reader_id uuid not null,
  kind text not null,
  -- Ids, revisions and instants that were asked for; never personal data.
  parameters jsonb not null,
  correlation_id text not null,
  window_start timestamptz not null,
  unique (auditor_id, reader_id, kind, window_start)
);
create index on audit_look (at desc, id desc);
create index on audit_look (reader_id, at desc, id desc);

create function refuse_changing_looks() returns trigger language plpgsql as $$
begin
  raise exception 'audit_look is only ever added to: % is refused', lower(tg_op) using errcode = 'LB010';
end $$;
create trigger audit_look_is_kept before update or delete on audit_look
  for each row execute function refuse_changing_looks();
create trigger audit_look_is_not_emptied before truncate on audit_look
  for each statement execute function refuse_changing_looks();

-- Events carry codes. What a person says in words of one lies beside the log, and can be erased.
create table event_note (
  event_id uuid primary key,
  note text not null,
  -- Whose event it is, and whose words they are, as the log calls them: it goes with either account.
  about uuid references account (pseudonym) on delete cascade,
  written_by uuid references account (pseudonym) on delete cascade,
  written_at timestamptz not null default now()
);
create index on event_note (about);
create index on event_note (written_by);
