import type pg from 'pg';
import * as m from '#words/messages.js';
import { LOCKS, tryLock } from '#platform/database/locks.js';
import type { LogPosition } from '#platform/event-log/event-log.js';

/** A log that takes the place of the one that the present rows were made of. */
export interface Adoption {
  /** Its identity. */
  logId: string;
  /** Called when the new rows are there, before they take the place of the present ones. */
  beforeSwap?: () => Promise<void>;
  /** What else belongs to the new log, in the transaction of the swap: where letters begin. */
  settle: (connection: pg.Client) => Promise<void>;
}

/**
 * Locks out all followers while this connection lives: their log is being replaced.
 * @throws if one is running
 */
export async function followAlone(connection: pg.Client, locks: readonly number[]): Promise<void> {
  for (const lock of [...locks, LOCKS.letters]) {
    if (!(await tryLock(connection, lock))) throw new Error(m.cli_adopt_while_running());
  }
}

/**
 * The rows of copies as what the catalogue knows of them, and not the other log: where that speaks of a copy, its word
 * counts. Part of the caller's transaction.
 */
export async function forgetRevisions(connection: pg.Client): Promise<void> {
  await connection.query('update copy set revision = -1, pending = null where revision >= 0');
}

/**
 * Makes the copies fit the rows of another log: copies are out for the borrows that are open in the rows and for no
 * others. Rents under way stay as they are: the reconciler asks the log about them. Part of the caller's transaction.
 * @param schema with the new rows
 */
export async function settleCopies(connection: pg.Client, schema: string): Promise<void> {
  const out = `
    select b.borrow_id, b.reader_id, lent."bookId" as book_id, lent.copy, lent."issuedAt" as issued_at
    from ${schema}.borrow b
    cross join lateral jsonb_to_recordset(b.books)
      as lent ("bookId" integer, copy integer, "issuedAt" text, "returnedAt" text, "notCollectedAt" text)
    where b.lent + b.reserved > 0 and lent."returnedAt" is null and lent."notCollectedAt" is null`;
  await connection.query(`
    with gone as (
      select a.borrow_id, a.book_id from copy_allocation a
      where a.state = 'confirmed' and (a.borrow_id, a.book_id) not in (select borrow_id, book_id from (${out}) o)
    )
    select release_copies(array(select borrow_id from gone order by borrow_id, book_id),
      array(select book_id from gone order by borrow_id, book_id))`);
  await connection.query(`
    update copy_allocation a set state = 'confirmed' from (${out}) o
    where a.state = 'pending' and a.borrow_id = o.borrow_id and a.book_id = o.book_id`);
  // A copy that is out exists: where the catalogue has fewer, it gets one more.
  await connection.query(`
    with taken as (
      insert into copy_allocation (borrow_id, book_id, reader_id, state)
      select o.borrow_id, k.id, o.reader_id, 'confirmed' from (${out}) o join book k on k.id = o.book_id
      on conflict (borrow_id, book_id) do update set state = 'confirmed', copy = null, scanned = false
        where copy_allocation.state = 'released'
      returning book_id
    ), counted as (select book_id, count(*)::integer as copies from taken group by book_id)
    update book k set
      copies_total = k.copies_total + greatest(c.copies - k.copies_available, 0),
      copies_available = greatest(k.copies_available - c.copies, 0)
    from counted c where c.book_id = k.id`);
  await connection.query('select number_allocations()');
  await connection.query(`update copy_allocation set scanned = false where scanned and state <> 'released'`);
  await connection.query(`
    select bind_copies(array_agg(o.borrow_id order by o.issued_at), array_agg(o.book_id order by o.issued_at),
      array_agg(o.copy order by o.issued_at))
    from (${out}) o where o.copy is not null`);
}

/** Letters start at the adopted log's end: none is sent about the past. */
export async function beginLettersAt(connection: pg.Client, end: LogPosition | undefined): Promise<void> {
  await connection.query(
    'update letters.checkpoint set commit_position = $1, prepare_position = $2, events = 0',
    [(end?.commit ?? -1n).toString(), (end?.prepare ?? -1n).toString()],
  );
}
