import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { EventPlace } from './append-check.js';
import type { RecordedEvent } from './recorded-event.js';

const INSERT = `
  insert into eventstore.event
    (position, created, stream, revision, event_id, type, content_type, data, metadata)
  select $1::bigint + e.ordinality - 1, $2::timestamptz,
    e.stream, e.revision, e.event_id, e.type, e.content_type, e.data, e.metadata
  from unnest($3::text[], $4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::bytea[], $9::bytea[])
    with ordinality as e(stream, revision, event_id, type, content_type, data, metadata, ordinality)`;

/**
 * Writes events in one statement, which is one transaction.
 * @param events in the order of their positions, without a gap, all of one time
 */
export async function insertEvents(database: Queryable, events: readonly RecordedEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  await database.query({
    name: 'eventstore-insert',
    text: INSERT,
    values: [
      first.position.toString(),
      new Date(first.created).toISOString(),
      textArray(events.map(({ stream }) => stream)),
      bigintArray(events.map(({ revision }) => revision)),
      uuidArray(events.map(({ id }) => id)),
      textArray(events.map(({ type }) => type)),
      textArray(events.map(({ contentType }) => contentType)),
      byteaArray(events.map(({ data }) => data)),
      byteaArray(events.map(({ metadata }) => metadata)),
    ],
  });
}

const placeRow = z.object({
  event_id: z.string(),
  stream: z.string(),
  revision: z.string(),
  position: z.string(),
});

/** Where events of these ids were written, by id. */
export async function findEventPlaces(
  database: Queryable,
  ids: readonly string[],
): Promise<Map<string, EventPlace[]>> {
  const places = new Map<string, EventPlace[]>();
  if (ids.length === 0) return places;
  const rows = await queryRows(database, placeRow, {
    name: 'eventstore-places',
    text: 'select event_id, stream, revision, position from eventstore.event where event_id = any($1::uuid[])',
    values: [uuidArray(ids)],
  });
  for (const row of rows) {
    const place = { stream: row.stream, revision: BigInt(row.revision), position: BigInt(row.position) };
    const known = places.get(row.event_id);
    if (known) known.push(place);
    else places.set(row.event_id, [place]);
  }
  return places;
}

const positionRow = z.object({ position: z.string() });

/** The position of the last event, 0 for an empty log. */
export async function lastPosition(database: Queryable): Promise<bigint> {
  const row = await queryRow(
    database,
    positionRow,
    'select coalesce(max(position), 0) as position from eventstore.event',
  );
  return BigInt(row?.position ?? 0);
}

/** Element types, by PostgreSQL's own numbers. */
const BYTEA = 17;
const BIGINT = 20;
const TEXT = 25;
const UUID = 2950;

const HEADER = 20;

/**
 * One-dimensional arrays in PostgreSQL's binary form, as parameters of a statement. The driver would write
 * them as text, bytes as hexadecimal digits: twice the size and the greater part of the work of an insert.
 */
function byteaArray(values: readonly Buffer[]): Buffer {
  return array(
    BYTEA,
    values,
    (value) => value.length,
    (value, into, at) => value.copy(into, at),
  );
}

function textArray(values: readonly string[]): Buffer {
  return array(
    TEXT,
    values,
    (value) => Buffer.byteLength(value),
    (value, into, at) => into.write(value, at),
  );
}

function bigintArray(values: readonly bigint[]): Buffer {
  return array(
    BIGINT,
    values,
    () => 8,
    (value, into, at) => into.writeBigInt64BE(value, at),
  );
}

/** @param values UUIDs with their dashes */
function uuidArray(values: readonly string[]): Buffer {
  return array(
    UUID,
    values,
    () => 16,
    (value, into, at) => into.write(value.replaceAll('-', ''), at, 'hex'),
  );
}

function array<T>(
  type: number,
  values: readonly T[],
  sizeOf: (value: T) => number,
  write: (value: T, into: Buffer, at: number) => void,
): Buffer {
  let size = HEADER;
  for (const value of values) size += 4 + sizeOf(value);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // no nulls
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16); // index of the first element
  let at = HEADER;
  for (const value of values) {
    const length = sizeOf(value);
    bytes.writeInt32BE(length, at);
    write(value, bytes, at + 4);
    at += 4 + length;
  }
  return bytes;
}
