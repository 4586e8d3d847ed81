import { JSON_CONTENT, type ProposedEvent } from './recorded-event.js';

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

export const NO_METADATA: StreamMetadata = { softDeleted: false };

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
