import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';
import { lastPosition } from './event-rows.js';

// Any two numbers that nothing else in the database locks on: "lect", "even" in ASCII.
const LOCK = [0x6c656374, 0x6576656e];
const LOCK_POLL_MS = 50;
// Longer than any sound batch takes; a server that answers no more must not hold appends for ever.
const QUERY_TIMEOUT_MS = 30_000;

/** The database has another writer. */
class WriterLockHeldError extends Error {
  override readonly name = 'WriterLockHeldError';

  constructor(waitedMs: number) {
    super(
      `Another event store writes to this database (its lock was not free within ${waitedMs} ms). ` +
        'Stop it, or give this one a database of its own.',
    );
  }
}

/** The one connection that may write. It holds the writer lock as long as it lives, and not a moment longer. */
export interface WriterConnection {
  client: pg.Client;
  /** The end of the log when the lock was taken. */
  lastPosition: bigint;
  /** Closes the connection, which gives the lock back. */
  close(): Promise<void>;
}

/**
 * Connects, takes the writer lock and brings the tables up to date.
 * Events are written over the same connection that holds the lock: where the lock is lost, nothing can be
 * written any more, so two stores never write at once.
 * @param lockTimeoutMs how long to wait for another writer to leave
 * @param onLost called once when the connection ends without `close`
 * @throws WriterLockHeldError when another store holds the lock
 */
export async function openWriterConnection(
  databaseUrl: string,
  lockTimeoutMs: number,
  onLost: () => void,
): Promise<WriterConnection> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'lectern event store writer',
    connectionTimeoutMillis: 5000,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  let open = true;
  const lost = () => {
    if (!open) return;
    open = false;
    onLost();
  };
  client.on('error', lost);
  client.on('end', lost);
  const close = async () => {
    open = false;
    await client.end().catch(() => undefined);
  };
  try {
    await client.connect();
    await client.query('set synchronous_commit = on');
    await takeLock(client, lockTimeoutMs);
    await migrateSchema(client);
    return { client, lastPosition: await lastPosition(client), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const lockRow = z.object({ taken: z.boolean() });

async function takeLock(client: pg.Client, timeoutMs: number): Promise<void> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    const lock = await queryRow(client, lockRow, 'select pg_try_advisory_lock($1, $2) as taken', LOCK);
    if (lock?.taken) return;
    if (Date.now() >= until) throw new WriterLockHeldError(timeoutMs);
    await sleep(LOCK_POLL_MS);
  }
}

// Each entry is one step, applied once and never changed afterwards.
const STEPS = [
  `
  create table eventstore.event (
    position     bigint primary key,
    revision     bigint not null,
    created      timestamptz not null,
    event_id     uuid not null,
    stream       text collate "C" not null,
    type         text collate "C" not null,
    content_type text collate "C" not null,
    data         bytea not null,
    metadata     bytea not null
  );
  -- Read of one stream, its head, and the last guard against two writers.
  create unique index event_stream_revision on eventstore.event (stream, revision);
  -- Repeated appends are recognised by the ids of their events.
  create index event_event_id on eventstore.event (event_id);
  -- Read of all streams of one kind, for instance every "borrows-" one, without a walk through the others.
  create index event_category_position on eventstore.event (split_part(stream, '-', 1), position);
  `,
];

/**
 * Makes or updates the tables of the event store. The caller holds the writer lock, so nobody else does.
 */
async function migrateSchema(client: pg.ClientBase): Promise<void> {
  await client.query('create schema if not exists eventstore');
  await client.query(
    `create table if not exists eventstore.schema_step (
       step integer primary key, applied timestamptz not null default now())`,
  );
  const last = await queryRow(
    client,
    z.object({ step: z.int() }),
    'select coalesce(max(step), 0) as step from eventstore.schema_step',
  );
  const applied = last?.step ?? 0;
  if (applied > STEPS.length) {
    throw new Error(
      `The event store's tables are of a later version (${applied}) than this program knows (${STEPS.length}).`,
    );
  }
  for (const [index, sql] of STEPS.entries()) {
    const step = index + 1;
    if (step <= applied) continue;
    // One message of several statements is one transaction.
    await client.query(`begin; ${sql}; insert into eventstore.schema_step (step) values (${step}); commit`);
  }
}
