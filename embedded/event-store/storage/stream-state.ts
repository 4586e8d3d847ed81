import { z } from 'zod';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { JSON_CONTENT, NO_EVENT, TOMBSTONE, describedStream, isMetastream } from './recorded-event.js';
import { NO_METADATA, parseStreamMetadata, type StreamMetadata } from './stream-metadata.js';

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
