import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A "hold" is a reader's place in the queue for a title; what keeps a copy for a rent is its allocation. */
export class CopyAllocations1763000000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table copy_hold rename to copy_allocation;

      create or replace function take_copies(p_borrow_id uuid, p_reader_id uuid, p_book_ids integer[])
      returns table (book_id integer, title text) language plpgsql as $$
      declare
        v_book record;
        v_missing text[] := '{}';
        v_found integer := 0;
        v_held integer;
      begin
        -- A repeat of a rent whose process died on the way: its copies are still held, and are held anew.
        update copy_allocation h set taken_at = now() where h.borrow_id = p_borrow_id and h.state = 'pending';
        get diagnostics v_held = row_count;
        if v_held > 0 then
          return query select b.id, b.title from copy_allocation h join book b on b.id = h.book_id where h.borrow_id = p_borrow_id;
          return;
        end if;
        if exists (select from copy_allocation h where h.borrow_id = p_borrow_id) then
          raise exception 'the copies of this rent are already settled' using errcode = 'LB003';
        end if;
        for v_book in
          select b.id, b.title, b.copies_available from book b where b.id = any(p_book_ids) order by b.id for no key update
        loop
          v_found := v_found + 1;
          if v_book.copies_available < 1 then v_missing := v_missing || v_book.title; end if;
        end loop;
        if v_found < cardinality(p_book_ids) then
          raise exception 'a book is not in the catalogue' using errcode = 'LB001';
        end if;
        if cardinality(v_missing) > 0 then
          raise exception 'no copy is left' using errcode = 'LB002', detail = array_to_string(v_missing, E'\\n');
        end if;
        insert into copy_allocation (borrow_id, book_id, reader_id, state)
          select p_borrow_id, unnest(p_book_ids), p_reader_id, 'pending';
        return query
          update book b set copies_available = b.copies_available - 1
          where b.id = any(p_book_ids) returning b.id, b.title;
      end $$;

      create or replace function release_copies(p_borrow_ids uuid[])
      returns table (book_id integer) language sql as $$
        with locked as (
          select h.borrow_id, h.book_id from copy_allocation h
          where h.borrow_id = any(p_borrow_ids) and h.state <> 'released'
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

      create or replace function keep_lent_books() returns trigger language plpgsql as $$
      begin
        if exists (select from copy_allocation h where h.book_id = old.id and h.state <> 'released') then
          raise exception 'copies of book % are out', old.id using errcode = 'LB004';
        end if;
        return old;
      end $$;

      -- Servers of the release before this one may still be running: they read and update the old name.
      create view copy_hold as select * from copy_allocation;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
