import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Copies are things: each has a number, and what is out says which one it is (`docs/decisions/033-copies.md`). The copies
 * that are there have no row: they are those from 1 to what the book owns, as on their labels.
 */
export class Copies1763000000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(NUMBERS);
    await runner.query(TAKING);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const TABLES = `
  -- A copy to which something has happened, or of which something was written down. The copies of a book are numbered from
  -- 1 to copies_total, and further by as many as have a row here that is not present.
  create table copy (
    book_id integer not null references book on delete cascade,
    copy integer not null check (copy > 0),
    condition text not null check (condition in ('present', 'lost', 'damaged', 'withdrawn')),
    shelf_mark text,
    note text,
    -- Of its last event in its stream, -1 where there is none.
    revision bigint not null,
    changed_at timestamptz not null,
    -- That last event, while it is not known to be in the log.
    pending jsonb,
    -- The command that added it, where it was named by a key.
    added_by uuid unique,
    added_digest text,
    primary key (book_id, copy)
  );
  create index copy_pending on copy (changed_at) where pending is not null;

  alter table book add column price integer check (price >= 0);

  -- Which copy it is; presumed, unless its label was scanned.
  alter table copy_allocation add column copy integer, add column scanned boolean not null default false;
`;

const NUMBERS = `
  update copy_allocation h set copy = numbered.copy
  from (
    select borrow_id, book_id, row_number() over (partition by book_id order by taken_at, borrow_id) as copy
    from copy_allocation where state <> 'released'
  ) numbered
  where h.borrow_id = numbered.borrow_id and h.book_id = numbered.book_id;

  -- In the place of the index by book alone.
  create unique index copy_allocation_copy on copy_allocation (book_id, copy) where state <> 'released';
  drop index copy_hold_book_id_idx;

  -- The lowest number of a copy that is neither out nor out of service; null where there is none. It looks at what is
  -- committed when it is called: its caller has locked the book.
  create function free_copy(p_book_id integer) returns integer language plpgsql volatile as $$
  declare
    v_out integer;
    v_copy integer;
  begin
    select count(*) into v_out from copy c where c.book_id = p_book_id and c.condition <> 'present';
    select n into v_copy
    from generate_series(1, 1 + v_out +
      (select count(*)::integer from copy_allocation h where h.book_id = p_book_id and h.state <> 'released')) n
    where n <= v_out + (select b.copies_total from book b where b.id = p_book_id)
      and not exists (
        select from copy_allocation h where h.book_id = p_book_id and h.copy = n and h.state <> 'released')
      and (v_out = 0 or not exists (
        select from copy c where c.book_id = p_book_id and c.copy = n and c.condition <> 'present'))
    order by n limit 1;
    return v_copy;
  end $$;

  -- Says which copies they are that are out and have no number.
  create function number_allocations() returns void language plpgsql as $$
  declare
    v_one record;
  begin
    for v_one in
      select borrow_id, book_id from copy_allocation
      where state <> 'released' and copy is null order by book_id, taken_at, borrow_id
    loop
      update copy_allocation set copy = free_copy(v_one.book_id)
      where borrow_id = v_one.borrow_id and book_id = v_one.book_id;
    end loop;
  end $$;
`;

const TAKING = `
  -- As before, and says which copies they are.
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
        -- The number is looked for once its book is locked: a volatile function sees what was committed until then.
        insert into copy_allocation (borrow_id, book_id, reader_id, state, copy)
        select p_borrow_id, t.id, p_reader_id, 'pending', free_copy(t.id) from taken t
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
`;
