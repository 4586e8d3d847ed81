import type pg from 'pg';
import { z } from 'zod';
import { queryRow } from '#platform/database/query-rows.js';

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
export async function migrateSchema(client: pg.ClientBase): Promise<void> {
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
