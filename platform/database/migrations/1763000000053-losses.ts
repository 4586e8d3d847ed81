import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Books that readers lose or damage: their copies leave the count, and come back where that was undone or they were found. */
export class Losses1763000000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- The borrow that it was lost in, until its charge was taken back.
      alter table copy add column lost_in uuid;
      create index copy_lost_in on copy (lost_in) where lost_in is not null;

      -- What losses do to copies, in the order given: each with its borrow and book, what happened (lost, damaged, found, undone),
      -- by whom, when, the id of the copy's event and its metadata. That event is left for the outbox of the copies. Where the
      -- copy's last one is not in the log yet, all of it is to be tried again.
      create function settle_losses(p_losses jsonb) returns void language plpgsql as $$
      declare
        v_loss record;
        v_held copy_allocation%rowtype;
        v_copy copy%rowtype;
        v_type text;
        v_data jsonb;
        v_is_free boolean;
      begin
        perform 1 from book b
          where b.id in (select (l ->> 'bookId')::integer from jsonb_array_elements(p_losses) l)
          order by b.id for no key update;
        for v_loss in
          select l ->> 'what' as what, (l ->> 'borrowId')::uuid as borrow_id, (l ->> 'bookId')::integer as book_id,
            l ->> 'by' as person, l ->> 'at' as said_at, l ->> 'eventId' as event_id, l -> 'metadata' as metadata
          from jsonb_array_elements(p_losses) with ordinality as t (l, n) order by n
        loop
          select * into v_held from copy_allocation a
            where a.borrow_id = v_loss.borrow_id and a.book_id = v_loss.book_id for update;
          continue when v_held.copy is null;
          select * into v_copy from copy c where c.book_id = v_loss.book_id and c.copy = v_held.copy for update;
          v_type := null;
          if v_loss.what in ('lost', 'damaged') then
            continue when v_held.state = 'released';
            v_type := case v_loss.what when 'lost' then 'CopyLost' else 'CopyDamaged' end;
          elsif v_loss.what = 'undone' then
            continue when v_held.state <> 'released';
            v_type := case v_copy.condition when 'lost' then 'CopyFound' when 'damaged' then 'CopyRepaired' end;
          elsif v_copy.condition = 'lost' and v_copy.lost_in = v_loss.borrow_id then
            v_type := 'CopyFound';
          end if;
          if v_type is not null and v_copy.pending is not null then
            raise exception 'the last event of a copy is not in the log yet' using errcode = '40001';
          end if;

          if v_loss.what in ('lost', 'damaged') then
            update copy_allocation a set state = 'released'
              where a.borrow_id = v_loss.borrow_id and a.book_id = v_loss.book_id;
            update book b set copies_total = b.copies_total - 1 where b.id = v_loss.book_id;
          elsif v_loss.what = 'found' then
            if v_type is not null then
              update book b set copies_total = b.copies_total + 1, copies_available = b.copies_available + 1
                where b.id = v_loss.book_id;
            end if;
          else
            -- Where it has gone on in the last moment, the reader has none of the library's.
            v_is_free := v_type is null and is_free_copy(v_loss.book_id, v_held.copy);
            if v_type is not null then
              update book b set copies_total = b.copies_total + 1 where b.id = v_loss.book_id;
            elsif v_is_free then
              update book b set copies_available = b.copies_available - 1 where b.id = v_loss.book_id;
            end if;
            if v_type is not null or v_is_free then
              update copy_allocation a set state = 'confirmed'
                where a.borrow_id = v_loss.borrow_id and a.book_id = v_loss.book_id;
            end if;
          end if;
          update copy c set lost_in = null where c.lost_in = v_loss.borrow_id and c.book_id = v_loss.book_id;

          continue when v_type is null;
          v_data := jsonb_build_object('bookId', v_loss.book_id, 'copy', v_held.copy) || case
            when v_type in ('CopyLost', 'CopyDamaged') then jsonb_build_object(
              'borrowId', v_loss.borrow_id, 'reportedBy', v_loss.person, 'reportedAt', v_loss.said_at)
            when v_type = 'CopyFound' then jsonb_build_object('foundBy', v_loss.person, 'foundAt', v_loss.said_at)
            else jsonb_build_object('repairedBy', v_loss.person, 'repairedAt', v_loss.said_at) end;
          insert into copy as c (book_id, copy, condition, revision, changed_at, pending, lost_in)
          values (
            v_loss.book_id, v_held.copy,
            case v_type when 'CopyLost' then 'lost' when 'CopyDamaged' then 'damaged' else 'present' end,
            coalesce(v_copy.revision, -1) + 1, now(),
            jsonb_build_object('id', v_loss.event_id, 'metadata', v_loss.metadata,
              'event', jsonb_build_object('type', v_type, 'data', v_data)),
            case v_type when 'CopyLost' then v_loss.borrow_id end)
          on conflict (book_id, copy) do update set
            (condition, revision, changed_at, pending, lost_in) =
              row(excluded.condition, excluded.revision, excluded.changed_at, excluded.pending, excluded.lost_in);
        end loop;
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
