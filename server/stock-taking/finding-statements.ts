/** A stock-taking as its statements need it. */
export interface Scope {
  id: string;
  shelves: { from: string; until: string } | null;
  startedAt: Date;
  /** Its scans are gone: of it there is only what `ClosedStockTakings` has. */
  isClosed: boolean;
}

/** The text of a statement and its parameters, which are numbered as they are named. */
export class Parameters {
  readonly values: unknown[] = [];

  /** @returns `$1` and so on, with its type */
  of(
    value: unknown,
    type: 'uuid' | 'uuid[]' | 'text' | 'text[]' | 'integer' | 'integer[]' | 'timestamptz',
  ): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** How many copies of a book have numbers beyond those that it owns now. */
const OUT_OF_SERVICE = `
  out_of_service as (
    select book_id, count(*)::integer as copies from copy where condition <> 'present' group by book_id
  )`;

/**
 * What was scanned (`judged`), each with its `kind`, as the copies and borrows are now.
 *
 * Which copy of a title is lent is only presumed where no label was scanned (`docs/decisions/024-copies.md`). A presumed copy that
 * is here and another one of its title that nobody has seen are taken for each other (`exchanged`), so that the books of
 * readers are not reported as standing here.
 * @param schema of the read model
 * @param books of these alone; null for all
 */
export function judged(
  schema: string,
  { id, shelves }: Scope,
  books: readonly number[] | null,
  p: Parameters,
): string {
  const taking = p.of(id, 'uuid');
  const ofBooks = (column: string) =>
    books === null ? '' : `and ${column} = any(${p.of(books, 'integer[]')})`;
  const inRange = shelves
    ? `(shelf_key(c.shelf_mark) >= shelf_key(${p.of(shelves.from, 'text')})
        and (shelf_key(c.shelf_mark) <= shelf_key(${p.of(shelves.until, 'text')})
          or shelf_holds(${p.of(shelves.until, 'text')}, c.shelf_mark)))`
    : 'true';
  return `
    ${OUT_OF_SERVICE}, out_now as materialized (
      select a.book_id, a.copy, a.borrow_id, a.reader_id, a.scanned as bound, i.issued_at, i.due_date
      from copy_allocation a
      left join lateral (
        select k."issuedAt" as issued_at, r.due_date
        from ${schema}.borrow r
        cross join jsonb_to_recordset(r.books) as k ("bookId" integer, "issuedAt" timestamptz)
        where r.borrow_id = a.borrow_id and k."bookId" = a.book_id
        -- Looked up for what is out, never read for all borrows that there ever were.
        offset 0
      ) i on true
      where a.state <> 'released' ${ofBooks('a.book_id')}
    ), scanned as materialized (
      select s.code, s.book_id, s.copy, s.shelf, s.scanned_at, s.scanned_by, b.title, c.shelf_mark, c.revision,
        case when s.copy <= b.copies_total + coalesce(o.copies, 0) then coalesce(c.condition, 'present') end as condition,
        a.borrow_id, a.reader_id, coalesce(a.bound, false) as bound, a.due_date,
        case when a.issued_at < s.scanned_at then a.issued_at end as issued_at,
        case
          when ${shelves ? 'false' : 's.shelf is null'} then 'in-place'
          when c.shelf_mark is null then 'unmarked'
          when case when s.shelf is null then ${inRange} else shelf_holds(s.shelf, c.shelf_mark) end then 'in-place'
          else 'misplaced'
        end as place
      from stock_scan s
      left join book b on b.id = s.book_id
      left join out_of_service o on o.book_id = s.book_id
      left join copy c on c.book_id = s.book_id and c.copy = s.copy
      left join out_now a on a.book_id = s.book_id and a.copy = s.copy
      where s.stock_taking_id = ${taking} ${ofBooks('s.book_id')}
    ), presumed as materialized (
      select book_id, copy, row_number() over (partition by book_id order by copy) as place_in_book
      from scanned where issued_at is not null and not bound and condition = 'present'
    ), accounted_for as (
      select book_id, count(*) as copies from (
        select book_id from out_now
        union all
        select book_id from scanned where condition = 'present' and borrow_id is null
      ) each where book_id in (select book_id from presumed) group by book_id
    ), exchanged as materialized (
      select p.book_id, p.copy
      from presumed p join book b on b.id = p.book_id join accounted_for f on f.book_id = p.book_id
      where p.place_in_book <= b.copies_total - f.copies
    ), judged as (
      select s.*, case
        when s.condition is null then 'unknown'
        when s.condition <> 'present' then 'found'
        when s.issued_at is not null and x.book_id is null then 'lent'
        else s.place
      end as kind
      from scanned s left join exchanged x on x.book_id = s.book_id and x.copy = s.copy
    ), open_findings as (
      select j.* from judged j
      where j.kind <> 'in-place' and not exists (
        select from stock_resolution r
        where r.stock_taking_id = ${taking} and r.code = j.code and r.action = 'leave' and r.kind = j.kind
          and r.resolved_at >= j.scanned_at)
    )`;
}

/**
 * What should stand here (`expected`), and what of it is `missing`: neither scanned, nor out, nor brought back since the
 * stock-taking began, as that went over the desk. Follows `judged` in the same statement.
 */
export function missing(
  schema: string,
  { id, shelves, startedAt }: Scope,
  books: readonly number[] | null,
  p: Parameters,
): string {
  const taking = p.of(id, 'uuid');
  const since = p.of(startedAt, 'timestamptz');
  const ofBooks = (column: string) =>
    books === null ? '' : `and ${column} = any(${p.of(books, 'integer[]')})`;
  return `
    standing as (${shelves ? onShelves(shelves, ofBooks, p) : inTheHouse(ofBooks)}
    ), expected as materialized (
      select e.book_id, e.copy, e.shelf_mark, s.code is not null as seen
      from standing e
      left join stock_scan s on s.stock_taking_id = ${taking} and s.book_id = e.book_id and s.copy = e.copy
      left join copy_allocation a on a.book_id = e.book_id and a.copy = e.copy and a.state <> 'released'
      where s.code is not null or a.borrow_id is null
    ), stand_ins as (
      select e.book_id, e.copy, row_number() over (partition by e.book_id order by e.copy) <= x.copies as is_lent
      from expected e
      join (select book_id, count(*) as copies from exchanged group by book_id) x on x.book_id = e.book_id
      where not e.seen
    ), brought_back as (
      select a.book_id, a.copy
      from ${schema}.borrow r
      cross join jsonb_to_recordset(r.books) as k ("bookId" integer, "returnedAt" timestamptz)
      join copy_allocation a on a.borrow_id = r.borrow_id and a.book_id = k."bookId"
      where k."returnedAt" >= ${since} and a.copy is not null
        and (r.status = 'Returned' and r.returned_at >= ${since} or r.status in ('Issued', 'Not_Paid', 'Paid'))
    ), unseen as (
      select e.book_id, e.copy, e.shelf_mark, r.code is not null as is_left
      from expected e
      left join stock_resolution r on r.stock_taking_id = ${taking} and r.book_id = e.book_id and r.copy = e.copy
        and r.kind = 'missing' and r.action = 'leave'
      where not e.seen
        and (e.book_id, e.copy) not in (select book_id, copy from stand_ins where is_lent)
        and (e.book_id, e.copy) not in (select book_id, copy from brought_back)
    ), missing as (select * from unseen where not is_left)`;
}

type OfBooks = (column: string) => string;

const inTheHouse = (ofBooks: OfBooks) => `
  select b.id as book_id, n.copy, c.shelf_mark
  from book b
  left join out_of_service o on o.book_id = b.id
  cross join lateral generate_series(1, b.copies_total + coalesce(o.copies, 0)) as n (copy)
  left join copy c on c.book_id = b.id and c.copy = n.copy
  where coalesce(c.condition, 'present') = 'present' ${ofBooks('b.id')}`;

function onShelves(
  { from, until }: { from: string; until: string },
  ofBooks: OfBooks,
  p: Parameters,
): string {
  const last = p.of(until, 'text');
  // The second bound is there for the index: whatever stands on the last shelf sorts behind its own mark.
  return `
    select c.book_id, c.copy, c.shelf_mark from copy c
    where c.shelf_mark is not null and c.condition = 'present'
      and shelf_key(c.shelf_mark) >= shelf_key(${p.of(from, 'text')})
      and shelf_key(c.shelf_mark) <= shelf_key(${last}) || chr(1114111)
      and (shelf_key(c.shelf_mark) <= shelf_key(${last}) or shelf_holds(${last}, c.shelf_mark))
      ${ofBooks('c.book_id')}`;
}
