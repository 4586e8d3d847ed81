import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A scan says which copy of a book is out: until then it was presumed. */
export class CopyBinding1763000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BINDING);
    await runner.query(RETAKING);
  }

  async down(): Promise<void> {
    throw new Error('Going back is done by restoring a backup.');
  }
}

const BINDING = `
  -- Whether a copy is in service, so that it can be out. As with free_copy, its caller has locked the book.
  create function can_be_out(p_book_id integer, p_copy integer) returns boolean language sql volatile as $$
    select p_copy <= (select b.copies_total from book b where b.id = p_book_id)
        + (select count(*) from copy c where c.book_id = p_book_id and c.condition <> 'present')
      and not exists (
        select from copy c where c.book_id = p_book_id and c.copy = p_copy and c.condition <> 'present')
  $$;

  -- Says which copies allocations are of, one after the other; null: not known any more. Where another borrow was presumed, or
  -- said, to have the copy, it gets the number that this one had: every copy stays out once.
  create function bind_copies(p_borrow_ids uuid[], p_book_ids integer[], p_copies integer[])
  returns void language plpgsql as $$
  declare
    v_one record;
    v_before record;
    v_other uuid;
  begin
    perform 1 from book b where b.id = any(p_book_ids) order by b.id for no key update;
    for v_one in
      select w.borrow_id, w.book_id, w.copy
      from unnest(p_borrow_ids, p_book_ids, p_copies) with ordinality as w (borrow_id, book_id, copy, place)
      order by w.place
    loop
      select h.copy, h.state into v_before
        from copy_allocation h where h.borrow_id = v_one.borrow_id and h.book_id = v_one.book_id;
      if not found then continue; end if;
      -- What is back keeps what it was, for when that is undone. What is out of service cannot be out: it was marked lost or
      -- withdrawn in the moment in which it was handed over, and remains a presumption.
      if v_one.copy is null
        or (v_before.state <> 'released' and not coalesce(can_be_out(v_one.book_id, v_one.copy), false))
      then
        update copy_allocation h set scanned = false
          where h.borrow_id = v_one.borrow_id and h.book_id = v_one.book_id and h.scanned;
        continue;
      end if;
      v_other := null;
      if v_before.state <> 'released' then
        select h.borrow_id into v_other from copy_allocation h
          where h.book_id = v_one.book_id and h.copy = v_one.copy and h.state <> 'released'
            and h.borrow_id <> v_one.borrow_id;
      end if;
      if v_other is not null then
        update copy_allocation h set copy = null, scanned = false
          where h.borrow_id = v_other and h.book_id = v_one.book_id;
      end if;
      update copy_allocation h set copy = v_one.copy, scanned = true
        where h.borrow_id = v_one.borrow_id and h.book_id = v_one.book_id;
      if v_other is not null then
        update copy_allocation h set copy = coalesce(v_before.copy, free_copy(v_one.book_id))
          where h.borrow_id = v_other and h.book_id = v_one.book_id;
      end if;
    end loop;
  end $$;
`;

const RETAKING = `
  -- As before. A copy that was scanned is needed itself, and another borrow that is only presumed to have it gets another one.
  create or replace function retake_copies(p_borrow_id uuid, p_book_ids integer[])
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
    select coalesce(array_agg(b.title order by b.id), '{}') into v_missing
      from book b left join copy_allocation h on h.borrow_id = p_borrow_id and h.book_id = b.id
      where b.id = any(p_book_ids)
        and (b.copies_available < 1 or (h.scanned and (
          not can_be_out(b.id, h.copy) or exists (
            select from copy_allocation o
            where o.book_id = b.id and o.copy = h.copy and o.state <> 'released' and o.scanned))));
    if cardinality(v_missing) > 0 then return v_missing; end if;
    update copy_allocation o set copy = null
      from copy_allocation h
      where h.borrow_id = p_borrow_id and h.book_id = any(p_book_ids) and h.state = 'released' and h.scanned
        and o.book_id = h.book_id and o.copy = h.copy and o.state <> 'released';
    update copy_allocation h set state = 'pending', taken_at = now(), retaken = true,
        copy = case when is_free_copy(h.book_id, h.copy) then h.copy else free_copy(h.book_id) end
      where h.borrow_id = p_borrow_id and h.book_id = any(p_book_ids) and h.state = 'released';
    get diagnostics v_taken = row_count;
    if v_taken < cardinality(p_book_ids) then
      raise exception 'these copies did not come back' using errcode = 'LB007';
    end if;
    update copy_allocation o set copy = free_copy(o.book_id)
      where o.book_id = any(p_book_ids) and o.state <> 'released' and o.copy is null;
    update book b set copies_available = b.copies_available - 1 where b.id = any(p_book_ids);
    return '{}';
  end $$;
`;
