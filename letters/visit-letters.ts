import { z } from 'zod';
import { isOfVisit } from '#contracts/borrowing/borrow-events.js';
import { isHoldEvent, readerEventTime } from '#contracts/holds/hold-events.js';
import type { Queryable, Statements } from '#platform/database/database.js';
import { CHANNELS } from '#platform/database/notifications.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { StoredReaderEvent } from '#platform/event-log/reader-events-in.js';
import { IS_UNCLAIMED } from './due-letter.js';
import { VISIT_LETTER } from './notification-request.js';

/** Events of one visit of a reader. Times are ISO 8601 in UTC. */
interface VisitEvents {
  /** The reader's pseudonym. */
  accountId: string;
  /** The id of the first of them. */
  cause: string;
  /** Revisions in the reader's stream. */
  from: number;
  until: number;
  since: string;
  lastAt: string;
  correlationId: string;
  /** They are the reader's first in the batch: the visit may have begun before it. */
  mayGoOn: boolean;
}

/** Whether an event is told by the letter of a visit. */
export function isToldByVisit({ event, key, metadata }: StoredReaderEvent): boolean {
  return !isHoldEvent(event) && isOfVisit(event, key, metadata.actor);
}

/**
 * Whether what was done is of another visit than what was done before it: more than the quiet time is between them.
 * @param quietSeconds after which a visit is over
 */
export function isOtherVisit(before: string, at: string, quietSeconds: number): boolean {
  return Date.parse(at) - Date.parse(before) > quietSeconds * 1000;
}

/** The visits in a batch of events that staff made, each of one reader. */
function visitsIn(events: readonly StoredReaderEvent[], quietSeconds: number): VisitEvents[] {
  const visits: VisitEvents[] = [];
  const latest = new Map<string, VisitEvents>();
  for (const stored of events) {
    const { id, key: accountId, event, revision, metadata } = stored;
    const at = readerEventTime(event);
    const known = latest.get(accountId);
    if (known && !isOtherVisit(known.lastAt, at, quietSeconds)) {
      known.until = Number(revision);
      known.lastAt = at;
      continue;
    }
    const visit = {
      ...{ accountId, cause: id, from: Number(revision), until: Number(revision), since: at, lastAt: at },
      ...{ correlationId: metadata.$correlationId, mayGoOn: known === undefined },
    };
    visits.push(visit);
    latest.set(accountId, visit);
  }
  return visits;
}

/**
 * Has letters tell what was done at the desk, as part of the caller's transaction: the letter of the visit that goes on, or a new
 * one. That of a visit which is over, or that somebody has in hand, is left as it is: what comes after is another visit. An event
 * that a letter tells of already, as after a checkpoint went back, is told no second time.
 */
export async function requestVisitLetters(
  transaction: Queryable,
  events: readonly StoredReaderEvent[],
  quietSeconds: number,
): Promise<void> {
  const atDesk = events.filter(isToldByVisit);
  if (atDesk.length === 0) return;
  const told = await queryRows(transaction, z.object({ id: z.string(), until: z.int() }), {
    name: 'told-by-visits',
    text: `select distinct on (account_id) account_id as id, (data ->> 'until')::integer as until from letters.letter
           where account_id = any($1::uuid[]) and kind = '${VISIT_LETTER}' order by account_id, caused_at desc`,
    values: [[...new Set(atDesk.map(({ key }) => key))]],
  });
  const toldUntil = new Map(told.map(({ id, until }) => [id, until]));
  const fresh = atDesk.filter(({ key, revision }) => Number(revision) > (toldUntil.get(key) ?? -1));
  const visits = visitsIn(fresh, quietSeconds);
  if (visits.length === 0) return;
  await transaction.query({
    name: 'ask-for-visits',
    text: `
      with asked as (
        select * from unnest($1::text[], $2::uuid[], $3::integer[], $4::integer[], $5::timestamptz[], $6::timestamptz[],
          $7::text[], $8::boolean[]) t (cause, account_id, "from", until, since, last_at, correlation_id, may_go_on)
      ), gone_on as (
        update letters.letter l set due_at = now() + make_interval(secs => $9),
          data = l.data || jsonb_build_object('until', a.until, 'lastAt', a.last_at)
        from asked a
        where a.may_go_on and l.account_id = a.account_id and l.kind = '${VISIT_LETTER}' and l.settled_at is null
          and ${IS_UNCLAIMED} and l.due_at > now()
          and a.since <= (l.data ->> 'lastAt')::timestamptz + make_interval(secs => $9)
        returning a.cause
      ), begun as (
        insert into letters.letter (queue, cause, kind, account_id, caused_at, correlation_id, due_at, data)
        select 'letters', a.cause, '${VISIT_LETTER}', a.account_id, a.since, a.correlation_id, now() + make_interval(secs => $9),
          jsonb_build_object('accountId', a.account_id, 'from', a."from", 'until', a.until, 'lastAt', a.last_at)
        from asked a where a.cause not in (select cause from gone_on)
        on conflict (cause) do nothing returning cause
      )
      select pg_notify($10, '') from begun limit 1`,
    values: [
      visits.map(({ cause }) => cause),
      visits.map(({ accountId }) => accountId),
      visits.map(({ from }) => from),
      visits.map(({ until }) => until),
      visits.map(({ since }) => since),
      visits.map(({ lastAt }) => lastAt),
      visits.map(({ correlationId }) => correlationId),
      visits.map(({ mayGoOn }) => mayGoOn),
      quietSeconds,
      CHANNELS.letters,
    ],
  });
}

/**
 * A visit is over: its letter is due.
 * @param readerId the reader's pseudonym
 * @param revision the last of the reader's stream: where the letter has later events, another visit has begun
 */
export async function endVisit(database: Statements, readerId: string, revision: bigint): Promise<void> {
  await database.query(
    `with ended as (
       update letters.letter set due_at = now()
       where account_id = $1 and kind = '${VISIT_LETTER}' and settled_at is null and ${IS_UNCLAIMED}
         and (data ->> 'until')::bigint <= $2 returning cause
     ) select pg_notify($3, '') from ended limit 1`,
    [readerId, revision.toString(), CHANNELS.letters],
  );
}

/** When the latest visits of a reader began, ISO 8601 in UTC, the latest first. @param readerId the reader's pseudonym */
export async function visitStarts(database: Queryable, readerId: string, most: number): Promise<string[]> {
  const rows = await queryRows(database, z.object({ since: z.date() }), {
    name: 'visit-starts',
    text: `select caused_at as since from letters.letter where account_id = $1 and kind = '${VISIT_LETTER}'
           order by caused_at desc limit $2`,
    values: [readerId, most],
  });
  return rows.map(({ since }) => since.toISOString());
}

/** What became of the letter that told of an event; nothing where there is none. @param revision of the event in the reader's stream */
export async function stateOfVisit(
  database: Queryable,
  readerId: string,
  revision: number,
): Promise<string | undefined> {
  const row = await queryRow(
    database,
    z.object({ state: z.string() }),
    `select state from letters.letter where account_id = $1 and kind = '${VISIT_LETTER}'
       and $2 between (data ->> 'from')::integer and (data ->> 'until')::integer`,
    [readerId, revision],
  );
  return row?.state;
}
