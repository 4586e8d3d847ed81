import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The order of a title's holds does not depend on positions in the log, which are others once that was moved. */
export class HoldRanks1763000000068 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The rank of the last hold on a title.
      create function last_rank(p_book_id integer) returns numeric language sql volatile as $$
        select coalesce(max(h.rank), 0) from hold h where h.book_id = p_book_id
      $$;

      -- As before, and a hold comes after all that its title has: events are written down in the order of the log, and their positions
      -- are others once the log was moved.
      create or replace function apply_holds(p_events jsonb) returns void language plpgsql as $$
      declare
        v_event record;
        v_hold hold%rowtype;
        v_before numeric;
        v_below numeric;
      begin
        for v_event in
          select e ->> 'type' as type, (e ->> 'id')::uuid as id, e -> 'data' as data,
            (e ->> 'revision')::bigint as revision,
            (e -> 'data' ->> 'holdId')::uuid as hold_id
          from jsonb_array_elements(p_events) with ordinality as t (e, n) order by n
        loop
          if v_event.type = 'HoldPlaced' then
            insert into hold (hold_id, book_id, reader_id, title, state, rank, placed_at, needed_until, revision)
            values (
              v_event.hold_id, (v_event.data ->> 'bookId')::integer, (v_event.data ->> 'readerId')::uuid,
              v_event.data ->> 'title', 'waiting', last_rank((v_event.data ->> 'bookId')::integer) + 1, (v_event.data ->> 'placedAt')::timestamptz,
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
                moved_at = (v_event.data ->> 'movedAt')::timestamptz, moved_by = (v_event.data ->> 'movedBy')::uuid,
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
                ready_at = (v_event.data ->> 'readyAt')::timestamptz, collect_by = (v_event.data ->> 'collectBy')::timestamptz
              where h.hold_id = v_hold.hold_id;
          else
            update hold h set state = 'over', paused_until = null,
                borrow_id = case when v_hold.state = 'ready' then v_hold.borrow_id end,
                ended_as = case v_event.type when 'HoldCollected' then 'collected' when 'HoldLapsed' then 'lapsed'
                  when 'HoldCancelled' then 'cancelled' else 'not-needed' end,
                ended_at = coalesce(v_event.data ->> 'collectedAt', v_event.data ->> 'lapsedAt',
                  v_event.data ->> 'cancelledAt', v_event.data ->> 'endedAt')::timestamptz
              where h.hold_id = v_hold.hold_id;
          end if;
          update hold h set revision = v_event.revision, bound_at = case when h.state = 'bound' then h.bound_at end
            where h.hold_id = v_hold.hold_id;
        end loop;
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
