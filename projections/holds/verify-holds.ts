import { z } from 'zod';
import * as m from '#words/messages.js';
import { holdEnd, holdEventTime, type HoldEvent } from '#contracts/holds/hold-events.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import type { StoredHoldEvent } from '#platform/event-log/reader-events-in.js';
import type { Hold } from '#circulation/borrow/hold-state.js';
import type { Decisions } from '../decisions.js';
import { ApplicableHolds } from './hold.projection.js';

const holdRow = z.object({
  hold_id: z.string(),
  book_id: z.int(),
  reader_id: z.string(),
  state: z.string(),
  borrow_id: z.string().nullable(),
  paused_until: z.string().nullable(),
  needed_until: z.string().nullable(),
  placed_at: z.string(),
  ended_at: z.string().nullable(),
  revision: z.coerce.number(),
  isKept: z.boolean(),
});
type HoldRow = z.output<typeof holdRow>;

const bookRow = z.object({
  book_id: z.int(),
  holds: z.int(),
  counted: z.int(),
  free: z.int(),
  waiting: z.int(),
});

interface LoggedHold {
  readerId: string;
  bookId: number;
  hold: Hold | undefined;
  endedAs: string | null;
  placedAt: string;
  /** Of its last event, which ended it where `endedAs` says so. */
  at: string;
  revision: number;
}

/** The holds as the log has them, to be compared with their table. */
export class LoggedHolds {
  private readonly holds = new Map<string, LoggedHold>();
  /** Each title's holds in their order, those that are over as well: others may have been moved before them. */
  private readonly orders = new Map<number, string[]>();
  private readonly applicable: ApplicableHolds;

  constructor(decisions: Decisions) {
    this.applicable = new ApplicableHolds(decisions);
  }

  async add(events: readonly StoredHoldEvent[]): Promise<void> {
    for (const { stored, hold } of await this.applicable.of(events)) {
      const { event, key, revision } = stored;
      const { holdId } = event.data;
      const known = this.holds.get(holdId);
      const bookId = known?.bookId ?? hold?.bookId ?? 0;
      const at = holdEventTime(event);
      this.holds.set(holdId, {
        ...{ readerId: key, bookId, hold, revision: Number(revision) },
        ...{ endedAs: holdEnd(event), placedAt: known?.placedAt ?? at, at },
      });
      this.place(bookId, event);
    }
  }

  private place(bookId: number, { type, data }: HoldEvent): void {
    const order = this.orders.get(bookId) ?? [];
    this.orders.set(bookId, order);
    if (type === 'HoldPlaced') order.push(data.holdId);
    if (type !== 'HoldMoved') return;
    const others = order.filter((id) => id !== data.holdId);
    const at = data.before === null ? -1 : others.indexOf(data.before);
    others.splice(at < 0 ? others.length : at, 0, data.holdId);
    this.orders.set(bookId, others);
  }

  /** Every difference between the log and the table, as a sentence. */
  async differences(connection: Queryable): Promise<string[]> {
    const rows = await queryRows(
      connection,
      holdRow,
      `select h.hold_id, h.book_id, h.reader_id, coalesce(h.ended_as, h.state) as state, h.borrow_id, h.revision,
         to_char(h.paused_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as paused_until,
         to_char(h.needed_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as needed_until,
         to_char(h.placed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as placed_at,
         to_char(h.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ended_at,
         exists (select from copy_allocation a
           where a.borrow_id = h.borrow_id and a.book_id = h.book_id and a.state <> 'released') as "isKept"
       from hold h order by h.book_id, h.rank`,
    );
    const found = new Map(rows.map((row) => [row.hold_id, row]));
    return [
      ...rows.flatMap((row) => differencesOf(row, this.holds.get(row.hold_id))),
      ...[...this.holds.keys()]
        .filter((id) => !found.has(id))
        .map((id) => m.cli_diff_hold_missing({ hold: id })),
      ...this.compareOrders(rows),
      ...(await compareBooks(connection)),
    ];
  }

  private compareOrders(rows: readonly HoldRow[]): string[] {
    const found = new Map<number, string[]>();
    for (const { book_id, hold_id } of rows) {
      const order = found.get(book_id) ?? [];
      order.push(hold_id);
      found.set(book_id, order);
    }
    return [...this.orders].flatMap(([bookId, order]) =>
      order.join() === (found.get(bookId) ?? []).join() ? [] : [m.cli_diff_hold_order({ book: bookId })],
    );
  }
}

/** Says of a hold in what it differs. */
type Differing = (inputs: { hold: string; found: string; wanted: string }) => string;

function differencesOf(row: HoldRow, logged: LoggedHold | undefined): string[] {
  const id = row.hold_id;
  if (!logged) return [m.cli_diff_hold_extra({ hold: id })];
  const { hold, endedAs } = logged;
  // Of a copy that is bound, the log is told next.
  const state = row.state === 'bound' ? 'waiting' : row.state;
  const pairs: [Differing, unknown, unknown][] = [
    [m.cli_diff_hold_state, state, endedAs ?? hold?.state],
    [m.cli_diff_hold_book, row.book_id, logged.bookId],
    [m.cli_diff_hold_reader, row.reader_id, logged.readerId],
    [m.cli_diff_hold_revision, row.revision, logged.revision],
    [m.cli_diff_hold_beginning, instant(row.placed_at), instant(logged.placedAt)],
    [m.cli_diff_hold_end, instant(row.ended_at), instant(endedAs === null ? null : logged.at)],
    ...(hold
      ? ([
          [m.cli_diff_hold_borrow, row.state === 'bound' ? null : row.borrow_id, hold.borrowId],
          [m.cli_diff_hold_pause, instant(row.paused_until), instant(hold.pausedUntil)],
          [m.cli_diff_hold_need, instant(row.needed_until), instant(hold.neededUntil)],
        ] as [Differing, unknown, unknown][])
      : []),
  ];
  const differences = pairs
    .filter(([, here, there]) => here !== there)
    .map(([differing, here, there]) => differing({ hold: id, found: String(here), wanted: String(there) }));
  if ((row.state === 'bound' || row.state === 'ready') && !row.isKept) {
    differences.push(m.cli_diff_hold_not_kept({ hold: id }));
  }
  return differences;
}

function instant(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}

/** A title's count of those who wait, and that nobody waits while a copy is on the shelf. */
async function compareBooks(connection: Queryable): Promise<string[]> {
  const rows = await queryRows(
    connection,
    bookRow,
    `select b.id as book_id, b.holds, b.copies_available as free, count(h.hold_id)::integer as counted,
       (count(h.hold_id) filter (where h.state = 'waiting'))::integer as waiting
     from book b left join hold h on h.book_id = b.id and h.state in ('waiting', 'paused')
     where b.holds > 0 or h.hold_id is not null group by b.id`,
  );
  return rows.flatMap(({ book_id: bookId, holds, counted, free, waiting }) => [
    ...(holds === counted ? [] : [m.cli_diff_waiting({ book: bookId, found: holds, wanted: counted })]),
    ...(waiting > 0 && free > 0 ? [m.cli_diff_copy_free({ book: bookId, waiting })] : []),
  ]);
}
