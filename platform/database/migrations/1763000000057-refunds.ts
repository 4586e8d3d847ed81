import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money goes back to a reader at the desk, and a lost book that was found by mistake is lost again. */
export class Refunds1763000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- What came in, or what went out: at the desk, of a book that was found.
      alter table payment_transaction
        add column kind text not null default 'fee' check (kind in ('fee', 'refund')),
        add check (kind = 'fee' or provider = 'desk');

      -- That a lost book was found is undone: its copy, if it stands on the shelf, is lost again in the same borrow, and leaves the
      -- count. Given and left for the outbox as by settle_losses. A copy that has gone on since stays where it is.
      create function lose_again(p_loss jsonb) returns void language plpgsql as $$
      declare
        v_borrow_id uuid := (p_loss ->> 'borrowId')::uuid;
        v_book_id integer := (p_loss ->> 'bookId')::integer;
        v_number integer;
        v_copy copy%rowtype;
      begin
        perform 1 from book b where b.id = v_book_id for no key update;
        select a.copy into v_number from copy_allocation a
          where a.borrow_id = v_borrow_id and a.book_id = v_book_id and a.state = 'released';
        if v_number is null then return; end if;
        select * into v_copy from copy c where c.book_id = v_book_id and c.copy = v_number for update;
        -- Somebody has said so of the copy itself.
        if v_copy.condition = 'lost' then
          update copy c set lost_in = v_borrow_id where c.book_id = v_book_id and c.copy = v_number;
          return;
        end if;
        if not is_free_copy(v_book_id, v_number) then return; end if;
        if v_copy.pending is not null then
          raise exception 'the last event of a copy is not in the log yet' using errcode = '40001';
        end if;
        update book b set copies_total = b.copies_total - 1, copies_available = b.copies_available - 1
          where b.id = v_book_id;
        insert into copy as c (book_id, copy, condition, revision, changed_at, pending, lost_in)
        values (
          v_book_id, v_number, 'lost', coalesce(v_copy.revision, -1) + 1, now(),
          jsonb_build_object('id', p_loss ->> 'eventId', 'metadata', p_loss -> 'metadata', 'event', jsonb_build_object(
            'type', 'CopyLost', 'data', jsonb_build_object('bookId', v_book_id, 'copy', v_number,
              'borrowId', v_borrow_id, 'reportedBy', p_loss ->> 'by', 'reportedAt', p_loss ->> 'at'))),
          v_borrow_id)
        on conflict (book_id, copy) do update set
          (condition, revision, changed_at, pending, lost_in) =
            row(excluded.condition, excluded.revision, excluded.changed_at, excluded.pending, excluded.lost_in);
      end $$;
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
