import pg from 'pg';
import { z } from 'zod';
import * as m from '#words/messages.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { isRuleEvent, RuleBook } from '#circulation/rules/rule-book.js';
import { eventNotes } from '#platform/database/event-notes.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import { borrowEventsIn, holdEventsIn, readerEventsIn } from '#platform/event-log/reader-events-in.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { failingFollowers, type FollowerFailure } from '#platform/operations/follower-states.js';
import { batches } from './batches.js';
import { foldCopies, type LoggedCopy } from './copies/copy.projection.js';
import { compareBindings, compareCopyRows } from './copies/verify-copies.js';
import { readCheckpoint } from './checkpoint.js';
import { SkippedLater, Decisions, withoutSkippedEvents, type KnownDecision } from './decisions.js';
import { LoggedHolds } from './holds/verify-holds.js';
import { RowComparison } from './verify-rows.js';
import type { ReaderEvent } from '#contracts/holds/hold-events.js';

export interface VerifyReport {
  events: number;
  borrows: number;
  books: number;
  /** Every difference, as a sentence; empty if rows, allocations and copies match the log. */
  differences: string[];
  /** Rents under way at that moment: allocations whose event is not in the rows yet. */
  pendingHolds: number;
  /** Decisions that skips an event; `reason` in words, unless it was erased. */
  skipped: (KnownDecision & { reason: string | undefined })[];
  /** Followers without progress: the log after their checkpoint is not compared. */
  troubles: FollowerFailure[];
}

const MAX_EVENTS = 2000;
/** Milliseconds for which an allocation may wait for its event; after that the reconciler has failed. */
const PENDING_MAY_LAST = 120_000;

/**
 * Folds the log and compares it with the rows, the counters, the allocations and the copy counts, all as of one
 * moment. Read-only, and blocks nobody.
 * @param progress called with the number of events read
 * @param asOf when the database was last in use, if not now: a rent under way then does not count as old
 * @param decisions known already
 */
export async function verify(
  databaseUrl: string,
  log: EventLog,
  progress: (events: number) => void = () => undefined,
  asOf?: Date,
  decisions = new Decisions(log),
  schema = READ_MODEL,
): Promise<VerifyReport> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  await connection.connect();
  const aborting = new AbortController();
  try {
    const comparison = await RowComparison.prepare(connection, decisions, schema);
    await connection.query('begin isolation level repeatable read read only');
    const checkpoint = await readCheckpoint(connection, schema);
    const until = checkpoint.position?.commit ?? -1n;
    let events = 0;
    const copies = new Map<string, LoggedCopy>();
    const logged = new LoggedHolds(decisions);
    const named = new ReferencedRules();
    for await (const batch of batches(decisions.read(undefined, until, aborting.signal), MAX_EVENTS)) {
      decisions.learn(batch);
      foldCopies(withoutSkippedEvents(batch), copies);
      await logged.add(holdEventsIn(withoutSkippedEvents(batch)));
      named.add(readerEventsIn(withoutSkippedEvents(batch)).filter(({ id }) => !decisions.has(id)));
      await comparison.add(borrowEventsIn(withoutSkippedEvents(batch)), batch.at(-1)?.position.commit ?? -1n);
      progress((events += batch.length));
    }
    await comparison.finish();
    const { differences } = comparison;
    if (BigInt(events) !== checkpoint.events) {
      differences.unshift(m.cli_diff_events({ found: events, wanted: String(checkpoint.events) }));
    }
    differences.push(...(await compareCounts(connection, schema, comparison)));
    differences.push(...(await compareBindings(connection, comparison, copies)));
    const holds = await compareHolds(connection, comparison.held, asOf);
    differences.push(...holds.differences, ...(await compareCopies(connection)));
    differences.push(...(await compareCopyRows(connection, copies, asOf)));
    differences.push(...(await logged.differences(connection)));
    const rules = await log.readStream('rules', LIBRARY);
    differences.push(...named.differences(RuleBook.of(rules.map(({ event }) => event).filter(isRuleEvent))));
    const catalogue = await queryRow(
      connection,
      z.object({ books: z.int() }),
      'select count(*)::integer as books from book',
    );
    return {
      events,
      borrows: comparison.borrows,
      books: catalogue?.books ?? 0,
      differences,
      pendingHolds: holds.pending,
      skipped: await withReasons(connection, decisions.known),
      troubles: await failingFollowers(connection),
    };
  } catch (error) {
    if (!(error instanceof SkippedLater)) throw error;
  } finally {
    aborting.abort();
    await connection.end();
  }
  return verify(databaseUrl, log, progress, asOf, decisions, schema);
}

/** With the reasons in words, unless they were erased. */
async function withReasons(
  connection: pg.Client,
  known: readonly KnownDecision[],
): Promise<VerifyReport['skipped']> {
  if (known.length === 0) return [];
  const notes = await eventNotes(
    connection,
    known.map(({ decisionId }) => decisionId),
  );
  return known.map((decision) => ({ ...decision, reason: notes.get(decision.decisionId) }));
}

const totalRow = z.object({ key: z.string(), value: z.int() });

async function compareCounts(
  connection: pg.Client,
  schema: string,
  expected: Pick<RowComparison, 'statuses' | 'rentedOn'>,
): Promise<string[]> {
  const statuses = await queryRows(
    connection,
    totalRow,
    `select status as key, borrows as value from ${schema}.borrow_count`,
  );
  const days = await queryRows(
    connection,
    totalRow,
    `select to_char(day, 'YYYY-MM-DD') as key, books as value from ${schema}.rented_on`,
  );
  return [
    ...compareTotals(statuses, expected.statuses, (status, counts) =>
      m.cli_diff_borrows_with_status({ status, ...counts }),
    ),
    ...compareTotals(days, expected.rentedOn, (day, counts) => m.cli_diff_rented_on({ day, ...counts })),
  ];
}

function compareTotals(
  rows: z.output<typeof totalRow>[],
  expected: Map<string, number>,
  worded: (key: string, counts: { found: number; wanted: number }) => string,
): string[] {
  const found = new Map(rows.map(({ key, value }) => [key, value]));
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((key) => (found.get(key) ?? 0) !== (expected.get(key) ?? 0))
    .map((key) => worded(key, { found: found.get(key) ?? 0, wanted: expected.get(key) ?? 0 }));
}

const holdRow = z.object({
  borrow_id: z.string(),
  book_id: z.int(),
  state: z.enum(['pending', 'confirmed']),
  recent: z.boolean(),
});

async function compareHolds(
  connection: pg.Client,
  wanted: Map<string, unknown>,
  asOf: Date | undefined,
): Promise<{ differences: string[]; pending: number }> {
  const rows = await queryRows(
    connection,
    holdRow,
    `select borrow_id, book_id, state, taken_at > coalesce($2, now()) - make_interval(secs => $1) as recent
     from copy_allocation where state <> 'released'`,
    [PENDING_MAY_LAST / 1000, asOf],
  );
  const differences: string[] = [];
  let pending = 0;
  for (const { borrow_id, book_id, state, recent } of rows) {
    const inLog = wanted.delete(`${borrow_id} ${book_id}`);
    if (state === 'pending' && !inLog && recent) pending += 1;
    else if (!inLog) differences.push(m.cli_diff_held_not_open({ book: book_id, borrow: borrow_id }));
    else if (state === 'pending')
      differences.push(m.cli_diff_hold_unconfirmed({ book: book_id, borrow: borrow_id }));
  }
  for (const hold of wanted.keys()) differences.push(m.cli_diff_not_held({ hold }));
  return { differences, pending };
}

async function compareCopies(connection: pg.Client): Promise<string[]> {
  const rows = await queryRows(
    connection,
    z.object({ id: z.int(), total: z.int(), available: z.int(), held: z.int() }),
    `
    select b.id, b.copies_total as total, b.copies_available as available, coalesce(h.held, 0)::integer as held
    from book b
    left join (select book_id, count(*) as held from copy_allocation where state <> 'released' group by book_id) h
      on h.book_id = b.id
    where b.copies_total - b.copies_available <> coalesce(h.held, 0)`,
  );
  return rows.map(({ id, ...counts }) => m.cli_diff_copies({ book: id, ...counts }));
}

/** The versions of the rules that readers' events name, to be compared with those that there are. */
class ReferencedRules {
  private readonly named = new Map<number, { events: number; first: string }>();

  add(events: readonly { id: string; event: ReaderEvent }[]): void {
    for (const { id, event } of events) {
      const version = 'policyVersion' in event.data ? event.data.policyVersion : undefined;
      if (version === undefined) continue;
      const known = this.named.get(version);
      if (known) known.events += 1;
      else this.named.set(version, { events: 1, first: `${event.type} ${id}` });
    }
  }

  /** @param rules read after the events: a version is stored long before anything is decided by it */
  differences(rules: RuleBook): string[] {
    return [...this.named]
      .filter(([version]) => rules.policyOf(version) === undefined)
      .map(([version, { events, first: event }]) =>
        events === 1
          ? m.cli_diff_rules_event({ version, event })
          : m.cli_diff_rules_events({ version, count: events, event }),
      );
  }
}
