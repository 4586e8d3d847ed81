-- Readers wait for titles, and a copy that comes free is theirs before anybody sees it: docs/decisions/030-holds.md.

-- The holds of all readers, as the projection wrote them down from their events. What is bound has a copy, of which the
-- reader's stream is still to be told: nothing of it is in the log.
create table hold (
  hold_id uuid primary key,
  book_id integer not null,
  reader_id uuid not null,
  title text not null,
  state text not null check (state in ('waiting', 'paused', 'bound', 'ready', 'over')),
  -- The order of a title's holds: one more than the last one's, or a number between those of two others.
  rank numeric not null,
  placed_at timestamptz not null,
  paused_until timestamptz,
  needed_until timestamptz,
  -- The borrow that has the copy, once there is one.
  borrow_id uuid,
  bound_at timestamptz,
  ready_at timestamptz,
  collect_by timestamptz,
  ended_as text check (ended_as in ('collected', 'lapsed', 'cancelled', 'not-needed')),
  ended_at timestamptz,
  -- The last time a librarian gave it another place.
  moved_at timestamptz,
  moved_by uuid,
  move_reason text,
  move_event uuid,
  -- The borrow for which a librarian takes the copy that is kept: it gets it when the log says so.
  yields_to uuid,
  yields_reader uuid,
  -- Of its last event, in the reader's stream.
  revision bigint not null,
  check ((state in ('bound', 'ready')) <= (borrow_id is not null)),
  check ((state = 'over') = (ended_as is not null))
);
create index hold_order on hold (book_id, rank);
create index hold_waiting on hold (book_id, rank) where state = 'waiting';
create index hold_of_reader on hold (reader_id) where state <> 'over';
create index hold_of_borrow on hold (borrow_id) where borrow_id is not null;
create index hold_bound on hold (bound_at) where state = 'bound';
create index hold_ready on hold (collect_by) where state = 'ready';
create index hold_paused on hold (paused_until) where state = 'paused';
create index hold_needed on hold (needed_until) where state in ('waiting', 'paused') and needed_until is not null;
create index hold_lapsed on hold (ended_at) where ended_as = 'lapsed';

-- The rank of the last hold on a title.
create function last_rank(p_book_id integer) returns numeric language sql volatile as $$
  select coalesce(max(h.rank), 0) from hold h where h.book_id = p_book_id
$$;

-- Gives copies on the shelf to those who wait, in their order: from here on they are taken, and nobody else sees them.
-- A hold whose number was never a borrow's gives it to its borrow; later ones get others, as a borrow begins once.
create function give_to_waiting(p_book_id integer) returns void language plpgsql as $$
declare
  v_free integer;
  v_hold record;
  v_borrow uuid;
begin
  select b.copies_available into v_free from book b
    where b.id = p_book_id and b.copies_available > 0 and b.holds > 0 for no key update;
  if not found then return; end if;
  for v_hold in
    select h.hold_id, h.reader_id from hold h
    where h.book_id = p_book_id and h.state = 'waiting' order by h.rank limit v_free
  loop
    v_borrow := v_hold.hold_id;
    if exists (select from copy_allocation a where a.borrow_id = v_borrow) then v_borrow := gen_random_uuid(); end if;
    insert into copy_allocation (borrow_id, book_id, reader_id, state, copy)
      values (v_borrow, p_book_id, v_hold.reader_id, 'pending', free_copy(p_book_id));
    update book b set copies_available = b.copies_available - 1, holds = b.holds - 1 where b.id = p_book_id;
    update hold h set state = 'bound', borrow_id = v_borrow, bound_at = now() where h.hold_id = v_hold.hold_id;
    perform pg_notify('lectern_holds', '');
  end loop;
end $$;

-- Whatever put a copy back, wherever it is written: at the end of that transaction, when all its counts and numbers fit, the
-- copy goes to who waits. Where nobody does, a change of the count costs one comparison more.
create function copies_came_free() returns trigger language plpgsql as $$
begin
  perform give_to_waiting(new.id);
  return null;
end $$;
create constraint trigger book_copies_came_free after update of copies_available on book
  deferrable initially deferred for each row
  when (new.holds > 0 and new.copies_available > old.copies_available) execute function copies_came_free();

-- The copy of a borrow that is cancelled goes straight to another one, which waits for it (pending, as after take_copies); where
-- there is none, or the copy is gone, to the shelf. From there one whose return is being undone takes what it needs.
create function pass_on_copy(p_from uuid, p_book_id integer, p_to uuid, p_reader_id uuid)
returns void language plpgsql as $$
declare
  v_copy integer;
begin
  select a.copy into v_copy from copy_allocation a where a.borrow_id = p_from and a.book_id = p_book_id;
  update copy_allocation a set state = 'released'
    where a.borrow_id = p_from and a.book_id = p_book_id and a.state <> 'released';
  if found then
    update book b set copies_available = b.copies_available + 1 where b.id = p_book_id;
  end if;
  if p_to is null or not exists (select from book b where b.id = p_book_id and b.copies_available > 0) then
    return;
  end if;
  if exists (
    select from copy_allocation a where a.borrow_id = p_to and a.book_id = p_book_id and a.state = 'released')
  then
    perform retake_copies(p_to, array[p_book_id]);
    return;
  end if;
  if not is_free_copy(p_book_id, v_copy) then v_copy := free_copy(p_book_id); end if;
  insert into copy_allocation (borrow_id, book_id, reader_id, state, copy)
    values (p_to, p_book_id, p_reader_id, 'pending', v_copy) on conflict do nothing;
  if found then
    update book b set copies_available = b.copies_available - 1 where b.id = p_book_id;
  end if;
end $$;

-- Writes down what events of holds say, in the order given: each with its type, id, data, time, its place in the reader's
-- stream, and as what the hold is over with it. An event that a row contains changes nothing. A hold comes after all that its
-- title has: events are written down in the order of the log, and their positions are others once the log was moved.
create function apply_holds(p_events jsonb) returns void language plpgsql as $$
declare
  v_event record;
  v_hold hold%rowtype;
  v_before numeric;
  v_below numeric;
begin
  for v_event in
    select e ->> 'type' as type, (e ->> 'id')::uuid as id, e -> 'data' as data,
      (e ->> 'revision')::bigint as revision, (e ->> 'at')::timestamptz as at, e ->> 'ended_as' as ended_as,
      (e -> 'data' ->> 'holdId')::uuid as hold_id
    from jsonb_array_elements(p_events) with ordinality as t (e, n) order by n
  loop
    if v_event.type = 'HoldPlaced' then
      insert into hold (hold_id, book_id, reader_id, title, state, rank, placed_at, needed_until, revision)
      values (
        v_event.hold_id, (v_event.data ->> 'bookId')::integer, (v_event.data ->> 'readerId')::uuid,
        v_event.data ->> 'title', 'waiting', last_rank((v_event.data ->> 'bookId')::integer) + 1, v_event.at,
        (v_event.data ->> 'neededUntil')::timestamptz, v_event.revision)
      on conflict (hold_id) do nothing;
      continue;
    end if;
    select * into v_hold from hold h where h.hold_id = v_event.hold_id for update;
    if not found then
      raise exception '% of hold %, which was not placed', v_event.type, v_event.hold_id using errcode = 'LB009';
    end if;
    continue when v_hold.revision >= v_event.revision;

    -- The stream says that it does not wait any more, or has said that it has this very copy: else the copy is free again.
    if v_hold.state = 'bound' and v_event.type not in ('HoldNeededUntil', 'HoldMoved')
      and (v_event.type <> 'HoldReady' or v_hold.borrow_id <> (v_event.data ->> 'borrowId')::uuid)
    then
      update copy_allocation a set state = 'released' where a.borrow_id = v_hold.borrow_id and a.state = 'pending';
      if found then
        update book b set copies_available = b.copies_available + 1 where b.id = v_hold.book_id;
      end if;
    end if;

    if v_event.type = 'HoldMoved' then
      v_before := null;
      v_below := null;
      select h.rank into v_before from hold h
        where h.hold_id = (v_event.data ->> 'before')::uuid and h.book_id = v_hold.book_id;
      if v_before is not null then
        select coalesce(max(h.rank), v_before - 2) into v_below from hold h
          where h.book_id = v_hold.book_id and h.rank < v_before and h.hold_id <> v_hold.hold_id;
      end if;
      update hold h set
          rank = coalesce((v_before + v_below) * 0.5, last_rank(v_hold.book_id) + 1),
          moved_at = v_event.at, moved_by = (v_event.data ->> 'movedBy')::uuid,
          move_reason = v_event.data ->> 'reason', move_event = v_event.id
        where h.hold_id = v_hold.hold_id;
    elsif v_event.type = 'HoldNeededUntil' then
      update hold h set needed_until = (v_event.data ->> 'neededUntil')::timestamptz where h.hold_id = v_hold.hold_id;
    elsif v_event.type = 'HoldPaused' then
      update hold h set state = 'paused', paused_until = (v_event.data ->> 'until')::timestamptz, borrow_id = null
        where h.hold_id = v_hold.hold_id;
    elsif v_event.type in ('HoldResumed', 'HoldSetBack') then
      update hold h set state = 'waiting', paused_until = null, borrow_id = null, ready_at = null, collect_by = null,
          yields_to = null, yields_reader = null
        where h.hold_id = v_hold.hold_id;
      if v_event.type = 'HoldSetBack' then
        perform pass_on_copy(v_hold.borrow_id, v_hold.book_id, v_hold.yields_to, v_hold.yields_reader);
      end if;
    elsif v_event.type = 'HoldReady' then
      update hold h set state = 'ready', borrow_id = (v_event.data ->> 'borrowId')::uuid,
          ready_at = v_event.at, collect_by = (v_event.data ->> 'collectBy')::timestamptz
        where h.hold_id = v_hold.hold_id;
    elsif v_event.ended_as is not null then
      update hold h set state = 'over', paused_until = null,
          borrow_id = case when v_hold.state = 'ready' then v_hold.borrow_id end,
          ended_as = v_event.ended_as, ended_at = v_event.at
        where h.hold_id = v_hold.hold_id;
    else
      raise exception '% of hold %, whose effect is unknown', v_event.type, v_hold.hold_id;
    end if;
    update hold h set revision = v_event.revision, bound_at = case when h.state = 'bound' then h.bound_at end
      where h.hold_id = v_hold.hold_id;
  end loop;
end $$;

-- The same, under the locks of the titles; then copies that are free go to who waits. Returns the titles.
create function settle_holds(p_events jsonb) returns integer[] language plpgsql as $$
declare
  v_books integer[];
  v_book_id integer;
begin
  select array_agg(distinct coalesce((e -> 'data' ->> 'bookId')::integer, h.book_id)) into v_books
    from jsonb_array_elements(p_events) e
    left join hold h on h.hold_id = (e -> 'data' ->> 'holdId')::uuid;
  perform 1 from book b where b.id = any(v_books) order by b.id for no key update;
  perform apply_holds(p_events);
  update book b set holds = (
      select count(*) from hold h where h.book_id = b.id and h.state in ('waiting', 'paused'))
    where b.id = any(v_books);
  foreach v_book_id in array v_books loop
    perform give_to_waiting(v_book_id);
  end loop;
  return v_books;
end $$;

-- Makes the table anew from all events of holds. A copy that is bound stays so where its hold still waits.
create function replay_holds(p_events jsonb) returns void language plpgsql as $$
declare
  v_bound record;
  v_book_id integer;
begin
  perform 1 from book b where b.id in (
      select h.book_id from hold h
      union select (e -> 'data' ->> 'bookId')::integer from jsonb_array_elements(p_events) e)
    order by b.id for no key update;
  create temp table was_bound on commit drop as
    select h.hold_id, h.book_id, h.borrow_id, h.bound_at from hold h where h.state = 'bound';
  delete from hold;
  perform apply_holds(p_events);
  for v_bound in select * from was_bound loop
    update hold h set state = 'bound', borrow_id = v_bound.borrow_id, bound_at = v_bound.bound_at
      where h.hold_id = v_bound.hold_id and h.state = 'waiting'
        and exists (select from copy_allocation a where a.borrow_id = v_bound.borrow_id and a.state = 'pending');
    continue when found;
    update copy_allocation a set state = 'released' where a.borrow_id = v_bound.borrow_id and a.state = 'pending';
    if found then
      update book b set copies_available = b.copies_available + 1 where b.id = v_bound.book_id;
    end if;
  end loop;
  drop table was_bound;
  update book b set holds = counted.holds
    from (
      select b.id, count(h.hold_id)::integer as holds from book b
      left join hold h on h.book_id = b.id and h.state in ('waiting', 'paused')
      where b.holds > 0 or h.hold_id is not null group by b.id
    ) counted
    where b.id = counted.id and b.holds <> counted.holds;
  for v_book_id in select b.id from book b where b.holds > 0 and b.copies_available > 0 order by b.id loop
    perform give_to_waiting(v_book_id);
  end loop;
end $$;
