import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Taking copies in fewer statements: it is on the way of every rent. What it answers and refuses stays as it was. */
export class LeanCopies1763000000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace function take_copies(
        p_borrow_id uuid, p_reader_id uuid, p_book_ids integer[], p_command_id uuid, p_since timestamptz
      ) returns table (book_id integer, title text) language plpgsql as $$
      declare
        v_found integer;
        v_missing text[];
      begin
        if p_command_id is not null then
          perform lock_command(p_command_id);
          if exists (select from admit_command(p_command_id, p_since)) then
            raise exception 'this rent was refused before' using errcode = 'LB005';
          end if;
        end if;
        if exists (select from copy_allocation h where h.borrow_id = p_borrow_id) then
          if p_command_id is not null and exists (
            select from copy_allocation h where h.borrow_id = p_borrow_id and h.state = 'pending'
            having array_agg(h.book_id order by h.book_id) <>
              (select array_agg(w.book_id order by w.book_id) from unnest(p_book_ids) w(book_id))
          ) then
            raise exception 'this rent holds other books' using errcode = 'LB006';
          end if;
          -- A repeat of a rent whose process died on the way: its copies are still held, and are held anew.
          return query select * from take_copies(p_borrow_id, p_reader_id, p_book_ids);
          return;
        end if;
        -- Rows are locked in the order of their ids, so that two readers with crossing wishes never wait for each other in a
        -- circle. One book alone is locked by its change.
        if cardinality(p_book_ids) > 1 then
          perform 1 from book b where b.id = any(p_book_ids) order by b.id for no key update;
        end if;
        return query
          with taken as (
            update book b set copies_available = b.copies_available - 1
            where b.id = any(p_book_ids) and b.copies_available > 0 returning b.id, b.title
          ), allocated as (
            insert into copy_allocation (borrow_id, book_id, reader_id, state)
            select p_borrow_id, t.id, p_reader_id, 'pending' from taken t
          )
          select t.id, t.title from taken t;
        get diagnostics v_found = row_count;
        if v_found = cardinality(p_book_ids) then return; end if;
        -- Nothing is taken: the refusal takes it all back.
        select count(*), array_agg(b.title order by b.id) filter (where h.book_id is null)
          into v_found, v_missing
          from book b left join copy_allocation h on h.borrow_id = p_borrow_id and h.book_id = b.id
          where b.id = any(p_book_ids);
        if v_found < cardinality(p_book_ids) then
          raise exception 'a book is not in the catalogue' using errcode = 'LB001';
        end if;
        raise exception 'no copy is left' using errcode = 'LB002', detail = array_to_string(v_missing, E'\\n');
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
