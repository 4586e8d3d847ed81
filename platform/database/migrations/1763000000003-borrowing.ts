import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Borrowing1763000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A copy that left the shelf for a borrow. It is written before the event (pending), confirmed by the
      -- projection when the event is stored, and released when the books come back or the rent is given up.
      create table copy_hold (
        borrow_id uuid not null,
        book_id integer not null references book,
        reader_id uuid not null,
        state text not null check (state in ('pending', 'confirmed', 'released')),
        taken_at timestamptz not null default now(),
        primary key (borrow_id, book_id)
      );
      create index on copy_hold (taken_at) where state = 'pending';
      create index on copy_hold (book_id) where state <> 'released';

      -- Takes one copy of each book for a borrow, or of none. Rows are locked in the order of their ids, so
      -- that two readers with crossing wishes never wait for each other in a circle.
      create function take_copies(p_borrow_id uuid, p_reader_id uuid, p_book_ids integer[])
      returns table (book_id integer, title text) language plpgsql as $$
      declare
        v_book record;
        v_missing text[] := '{}';
        v_found integer := 0;
        v_held integer;
      begin
        -- A repeat of a rent whose process died on the way: its copies are still held, and are held anew.
        update copy_hold h set taken_at = now() where h.borrow_id = p_borrow_id and h.state = 'pending';
        get diagnostics v_held = row_count;
        if v_held > 0 then
          return query select b.id, b.title from copy_hold h join book b on b.id = h.book_id where h.borrow_id = p_borrow_id;
          return;
        end if;
        if exists (select from copy_hold h where h.borrow_id = p_borrow_id) then
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
        insert into copy_hold (borrow_id, book_id, reader_id, state)
          select p_borrow_id, unnest(p_book_ids), p_reader_id, 'pending';
        return query
          update book b set copies_available = b.copies_available - 1
          where b.id = any(p_book_ids) returning b.id, b.title;
      end $$;

      -- Puts the copies of the borrows back on the shelf. Doing so twice changes nothing.
      create function release_copies(p_borrow_ids uuid[])
      returns table (book_id integer) language sql as $$
        with locked as (
          select h.borrow_id, h.book_id from copy_hold h
          where h.borrow_id = any(p_borrow_ids) and h.state <> 'released'
          order by h.book_id, h.borrow_id for update
        ), released as (
          update copy_hold h set state = 'released' from locked l
          where h.borrow_id = l.borrow_id and h.book_id = l.book_id
          returning h.book_id
        ), counted as (
          select r.book_id, count(*)::integer as copies from released r group by r.book_id
        )
        update book b set copies_available = b.copies_available + c.copies
        from counted c where b.id = c.book_id returning b.id
      $$;
    `);
    await runner.query(`
      create schema read_model;

      -- One row: how far the log is in the rows. Both numbers of an EventStoreDB position are kept.
      create table read_model.checkpoint (
        only_row boolean primary key default true check (only_row),
        commit_position bigint not null,
        prepare_position bigint not null,
        events bigint not null
      );
      insert into read_model.checkpoint (commit_position, prepare_position, events) values (-1, -1, 0);

      create table read_model.borrow (
        borrow_id uuid primary key,
        reader_id uuid not null,
        books jsonb not null,
        titles text not null,
        rented_at timestamptz not null,
        collect_by timestamptz not null,
        issued_at timestamptz,
        due_date timestamptz,
        returned_at timestamptz,
        expired_at timestamptz,
        status text not null,
        charged integer not null,
        paid integer not null,
        renewals integer not null,
        revision bigint not null,
        position bigint not null
      );

      -- Borrows per status, and books rented per day (UTC): the dashboard never counts rows.
      create table read_model.borrow_count (
        status text primary key,
        borrows integer not null
      );
      create table read_model.rented_on (
        day date primary key,
        books integer not null
      );
      create index on read_model.borrow (reader_id, rented_at desc);
      create index on read_model.borrow (rented_at desc, borrow_id);
      create index on read_model.borrow (status, rented_at desc, borrow_id);
      create index on read_model.borrow (position);
      create index on read_model.borrow (due_date) where status in ('Issued', 'Not_Paid', 'Paid');
      create index on read_model.borrow (collect_by) where status = 'Rented';
      create index on read_model.borrow using gin (titles public.gin_trgm_ops);
    `);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}
