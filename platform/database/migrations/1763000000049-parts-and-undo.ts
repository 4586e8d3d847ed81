import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Books of a borrow come back one by one, a return can be undone, and so can a payment at the desk. */
export class PartsAndUndo1763000000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- As release_copies(uuid[]), of single books: pairs of a borrow and a book, null for all of the borrow.
      create function release_copies(p_borrow_ids uuid[], p_book_ids integer[])
      returns table (book_id integer) language sql as $$
        with locked as (
          select h.borrow_id, h.book_id from copy_allocation h
          where h.borrow_id = any(p_borrow_ids) and h.state <> 'released'
            and exists (
              select from unnest(p_borrow_ids, p_book_ids) w (borrow_id, book_id)
              where w.borrow_id = h.borrow_id and (w.book_id is null or w.book_id = h.book_id)
            )
          order by h.book_id, h.borrow_id for update
        ), released as (
          update copy_allocation h set state = 'released' from locked l
          where h.borrow_id = l.borrow_id and h.book_id = l.book_id
          returning h.book_id
        ), counted as (
          select r.book_id, count(*)::integer as copies from released r group by r.book_id
        )
        update book b set copies_available = b.copies_available + c.copies
        from counted c where b.id = c.book_id returning b.id
      $$;

      -- Whether it came back once, and is lent again because its return was undone.
      alter table copy_allocation add column retaken boolean not null default false;

      -- Whether a copy is neither out nor out of service. As with free_copy, its caller has locked the book.
      create function is_free_copy(p_book_id integer, p_copy integer) returns boolean language sql volatile as $$
        select p_copy is not null
          and not exists (
            select from copy_allocation h where h.book_id = p_book_id and h.copy = p_copy and h.state <> 'released')
          and not exists (
            select from copy c where c.book_id = p_book_id and c.copy = p_copy and c.condition <> 'present')
      $$;

      -- Takes copies that came back off the shelf again, all of them or none, for a return that is being undone. They are pending
      -- until the projection has its event. Returns the titles of which none is left, and takes nothing where there are any.
      create function retake_copies(p_borrow_id uuid, p_book_ids integer[])
      returns text[] language plpgsql as $$
      declare
        v_missing text[];
        v_taken integer;
      begin
        perform 1 from book b where b.id = any(p_book_ids) order by b.id for no key update;
        -- An attempt at the same undoing that broke off holds them still.
        if (select count(*) from copy_allocation h
            where h.borrow_id = p_borrow_id and h.book_id = any(p_book_ids) and h.state = 'pending')
          = cardinality(p_book_ids)
        then
          update copy_allocation h set taken_at = now()
          where h.borrow_id = p_borrow_id and h.book_id = any(p_book_ids);
          return '{}';
        end if;
        -- A copy that was scanned is needed itself; any other one of the title will do where none was.
        select coalesce(array_agg(b.title order by b.id), '{}') into v_missing
          from book b left join copy_allocation h on h.borrow_id = p_borrow_id and h.book_id = b.id
          where b.id = any(p_book_ids)
            and (b.copies_available < 1 or (h.scanned and not is_free_copy(b.id, h.copy)));
        if cardinality(v_missing) > 0 then return v_missing; end if;
        update copy_allocation h set state = 'pending', taken_at = now(), retaken = true,
            copy = case when is_free_copy(h.book_id, h.copy) then h.copy else free_copy(h.book_id) end
          where h.borrow_id = p_borrow_id and h.book_id = any(p_book_ids) and h.state = 'released';
        get diagnostics v_taken = row_count;
        if v_taken < cardinality(p_book_ids) then
          raise exception 'these copies did not come back' using errcode = 'LB007';
        end if;
        update book b set copies_available = b.copies_available - 1 where b.id = any(p_book_ids);
        return '{}';
      end $$;

      -- A payment at the desk that is being undone, or is: the money was handed back.
      do $$
      declare v_check text;
      begin
        for v_check in
          select conname from pg_constraint
          where conrelid = 'payment_transaction'::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%status%'
        loop
          execute format('alter table payment_transaction drop constraint %I', v_check);
        end loop;
      end $$;
      alter table payment_transaction
        add check (status in ('open', 'paid', 'refunding', 'refunded', 'refused', 'expired', 'failed', 'undoing', 'undone')),
        add check (case provider when 'desk' then status in ('open', 'paid', 'refused', 'undoing', 'undone')
          else status not in ('undoing', 'undone') end),
        add check ((status in ('paid', 'undoing', 'undone')) = (log_position is not null));
      -- By whom and as which command, so that one that broke off can be completed.
      alter table payment_transaction add column undoing jsonb;
      create index on payment_transaction (id) where status = 'undoing';
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
