import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import {
  JSON_CONTENT,
  NO_EVENT,
  TOMBSTONE,
  describedStream,
  isMetastream,
  type ProposedEvent,
} from './recorded-event.js';

/** The metadata of a stream that the store applies. Access lists and cache hints are stored, not enforced. */
export interface StreamMetadata {
  /** Only this many of the last events can be read. */
  maxCount?: bigint;
  /** Events older than this, in seconds, cannot be read. */
  maxAge?: number;
  /** Events before this revision cannot be read. */
  truncateBefore?: bigint;
  /** The stream was deleted, and may be written to again. */
  softDeleted: boolean;
  /** The metadata as written, which is preserved when the store itself changes it. */
  json?: Record<string, unknown>;
}

const NO_METADATA: StreamMetadata = { softDeleted: false };

/** The fixed metadata of a metastream. */
export const METASTREAM_METADATA: StreamMetadata = { softDeleted: false, maxCount: 1n };

// A soft delete is written as the largest 64-bit number, which a JSON number here can only approach.
const SOFT_DELETED = 2 ** 63;

/** The metadata that a soft delete leaves. */
export const SOFT_DELETE_JSON = '{"$tb":9223372036854775807}';

/**
 * Reads the last event of a metastream.
 * @returns no limits if it is not a JSON object, as EventStoreDB does
 */
export function parseStreamMetadata(event: Pick<ProposedEvent, 'contentType' | 'data'>): StreamMetadata {
  if (event.contentType !== JSON_CONTENT) return NO_METADATA;
  let json: unknown;
  try {
    json = JSON.parse(event.data.toString('utf8'));
  } catch {
    return NO_METADATA;
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return NO_METADATA;
  const fields = json as Record<string, unknown>;
  const metadata: StreamMetadata = { softDeleted: false, json: fields };
  const truncateBefore = wholeNumber(fields['$tb']);
  const maxCount = wholeNumber(fields['$maxCount']);
  const maxAge = wholeNumber(fields['$maxAge']);
  if (truncateBefore !== undefined && truncateBefore >= SOFT_DELETED) metadata.softDeleted = true;
  else if (truncateBefore !== undefined) metadata.truncateBefore = BigInt(truncateBefore);
  if (maxCount !== undefined && maxCount > 0) metadata.maxCount = BigInt(maxCount);
  if (maxAge !== undefined && maxAge > 0) metadata.maxAge = maxAge;
  return metadata;
}

/** The metadata of a soft-deleted stream that is written to again: all before `revision` stays hidden. */
export function recreatedMetadataJson(metadata: StreamMetadata, revision: bigint): string {
  return JSON.stringify({ ...metadata.json, $tb: Number(revision) });
}

/** The lowest revision that may be read. */
export function firstReadableRevision(metadata: StreamMetadata, last: bigint): bigint {
  const byCount = metadata.maxCount === undefined ? 0n : last - metadata.maxCount + 1n;
  const byTruncation = metadata.truncateBefore ?? 0n;
  const lowest = byCount > byTruncation ? byCount : byTruncation;
  return lowest > 0n ? lowest : 0n;
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The state of a stream that an append is checked against; it covers the stream and its metastream. */
export interface StreamState {
  /** The last revision, `NO_EVENT` for an empty stream, `TOMBSTONE` for one that is deleted for ever. */
  revision: bigint;
  /** The last revision of the metastream. */
  metaRevision: bigint;
  metadata: StreamMetadata;
}

/** The last revision of a stream or of a metastream, given the state of the described stream. */
export function lastRevision(state: StreamState, stream: string): bigint {
  if (state.revision === TOMBSTONE) return TOMBSTONE;
  return isMetastream(stream) ? state.metaRevision : state.revision;
}

const stateRow = z.object({
  stream: z.string(),
  revision: z.string().nullable(),
  meta_revision: z.string().nullable(),
  content_type: z.string().nullable(),
  data: z.instanceof(Buffer).nullable(),
});

const LOAD_STATES = `
  select s.stream, head.revision, meta.revision as meta_revision, meta.content_type, meta.data
  from unnest($1::text[]) as s(stream)
  left join lateral (
    select revision from eventstore.event e
    where e.stream = s.stream collate "C" order by revision desc limit 1) head on true
  left join lateral (
    select revision, content_type, data from eventstore.event e
    where e.stream = ('$$' || s.stream) collate "C" order by revision desc limit 1) meta on true`;

/**
 * Loads the states of streams in one query.
 * @param streams names of streams or metastreams
 * @returns by the name of the described stream
 */
export async function loadStreamStates(
  database: Queryable,
  streams: Iterable<string>,
): Promise<Map<string, StreamState>> {
  const described = [...new Set([...streams].map(describedStream))];
  const states = new Map<string, StreamState>();
  if (described.length === 0) return states;
  const rows = await queryRows(database, stateRow, {
    name: 'eventstore-states',
    text: LOAD_STATES,
    values: [described],
  });
  for (const row of rows) {
    states.set(row.stream, {
      revision: row.revision === null ? NO_EVENT : BigInt(row.revision),
      metaRevision: row.meta_revision === null ? NO_EVENT : BigInt(row.meta_revision),
      metadata:
        row.data === null
          ? NO_METADATA
          : parseStreamMetadata({ contentType: row.content_type ?? JSON_CONTENT, data: row.data }),
    });
  }
  return states;
}
