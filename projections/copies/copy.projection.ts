import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS, isCopyEventType, type CopyEvent } from '#contracts/copies/copy-events.js';
import { evolveCopy, IMPLIED_COPY, isInService, type CopyOfLibrary } from '#copies/copy.decider.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { StoredEvent } from '#platform/event-log/event-log.js';

/** A copy as the log knows it. */
export interface LoggedCopy extends CopyOfBook {
  state: CopyOfLibrary;
  /** Of its last event. */
  revision: bigint;
  /** Whether its first event says that it was added; if not, it came with its book. */
  wasAdded: boolean;
  /** Whether it was ever out of service. */
  wasOut: boolean;
}

/** An event of a copy, with its place in the log. */
type StoredCopyEvent = StoredEvent & { readonly event: CopyEvent };

/** The events of copies' streams, without decisions to skip events. */
export function copyEventsIn(events: readonly StoredEvent[]): StoredCopyEvent[] {
  return events.filter((stored): stored is StoredCopyEvent => isCopyEventType(stored.event.type));
}

/**
 * Folds events over copies, by their codes. An event that a copy contains already changes nothing.
 * @returns the copies that changed
 */
export function foldCopies(
  events: readonly StoredEvent[],
  copies: Map<string, LoggedCopy>,
): Map<string, LoggedCopy> {
  const changed = new Map<string, LoggedCopy>();
  for (const { event, revision } of copyEventsIn(events)) {
    const { bookId, copy } = event.data;
    const code = copyCode({ bookId, copy });
    const before = copies.get(code);
    if (before && before.revision >= revision) continue;
    const state = evolveCopy(before?.state ?? IMPLIED_COPY, event);
    const wasAdded = before?.wasAdded === true || event.type === 'CopyAdded';
    const wasOut = before?.wasOut === true || !isInService(state);
    const after = { bookId, copy, state, revision, wasAdded, wasOut };
    copies.set(code, after);
    changed.set(code, after);
  }
  return changed;
}

/** What a row says of a copy. */
export const copyRow = z.object({
  book_id: z.int(),
  copy: z.int(),
  condition: z.enum(COPY_CONDITIONS),
  shelf_mark: z.string().nullable(),
  revision: z.coerce.bigint(),
});

/** The copies that events speak of, as their rows are: usually these contain the events already. */
export async function copiesBefore(
  connection: Queryable,
  events: readonly StoredEvent[],
): Promise<Map<string, LoggedCopy>> {
  const books = [...new Set(copyEventsIn(events).map(({ event }) => event.data.bookId))];
  if (books.length === 0) return new Map();
  const rows = await queryRows(
    connection,
    copyRow,
    'select book_id, copy, condition, shelf_mark, revision from copy where book_id = any($1::integer[])',
    [books],
  );
  return new Map(
    rows.map(({ book_id: bookId, copy, condition, shelf_mark, revision }) => [
      copyCode({ bookId, copy }),
      {
        ...{ bookId, copy, revision, wasAdded: false, wasOut: condition !== 'present' },
        state: { condition, shelfMark: shelf_mark },
      },
    ]),
  );
}

/**
 * Makes the copies as the log says, where their rows are behind it: usually they were written with the command. Those that
 * the log does not speak of stay as they are. Part of the caller's transaction.
 */
export async function settleCopyRows(connection: Queryable, copies: Iterable<LoggedCopy>): Promise<void> {
  const rows = [...copies].map(({ bookId, copy, state, revision }) => ({
    book_id: bookId,
    copy,
    condition: state.condition,
    mark_known: state.shelfMark !== undefined,
    shelf_mark: state.shelfMark ?? null,
    revision: revision.toString(),
  }));
  if (rows.length === 0) return;
  const values = [JSON.stringify(rows)];
  // Sent together, and in this order: the counters do not change between them.
  await Promise.all([
    connection.query(
      `select from book where id in (select book_id from ${GIVEN}) order by id for no key update`,
      values,
    ),
    connection.query(SETTLED, values),
  ]);
}

const GIVEN = `jsonb_to_recordset($1::jsonb) as g (
  book_id integer, copy integer, condition text, mark_known boolean, shelf_mark text, revision bigint)`;

const SETTLED = `
  with behind as (
    select g.*, case when g.mark_known then g.shelf_mark else c.shelf_mark end as mark,
      -- A copy without a row came with its book, unless its number is beyond them.
      coalesce(c.condition = 'present', g.copy <= b.copies_total + (
        select count(*) from copy x where x.book_id = b.id and x.condition <> 'present')) as counted
    from ${GIVEN}
    join book b on b.id = g.book_id
    left join copy c on c.book_id = g.book_id and c.copy = g.copy
    where c.revision is null or c.revision < g.revision
      or (c.revision = g.revision and c.pending is null and (c.condition, c.shelf_mark) is distinct from
        (g.condition, case when g.mark_known then g.shelf_mark else c.shelf_mark end))
  ), written as (
    insert into copy (book_id, copy, condition, shelf_mark, revision, changed_at)
    select book_id, copy, condition, mark, revision, now() from behind
    on conflict (book_id, copy) do update set
      (condition, shelf_mark, revision, pending, changed_at) =
        row(excluded.condition, excluded.shelf_mark, excluded.revision, null, excluded.changed_at)
  ), counted as (
    select book_id, sum((condition = 'present')::integer - counted::integer)::integer as more
    from behind group by book_id
  )
  update book b set
    copies_total = greatest(b.copies_total + c.more, 0), copies_available = greatest(b.copies_available + c.more, 0)
  from counted c where c.book_id = b.id and c.more <> 0`;
