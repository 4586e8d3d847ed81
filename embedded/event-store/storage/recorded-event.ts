/** An event as a client proposes it. */
export interface ProposedEvent {
  /** Lower-case UUID. */
  id: string;
  type: string;
  contentType: string;
  data: Buffer;
  metadata: Buffer;
}

/** An event as the log holds it. */
export interface RecordedEvent extends ProposedEvent {
  /** Its place in the whole log: 1, 2, 3 and so on without a gap. */
  position: bigint;
  stream: string;
  /** Its place in its stream, from 0; `TOMBSTONE` for the mark of a deleted stream. */
  revision: bigint;
  /** Milliseconds since 1970. */
  created: number;
}

/** What a writer expects of the stream it writes to. A number is the revision of the last event. */
export type ExpectedRevision = 'any' | 'no-stream' | 'stream-exists' | bigint;

/** The revision of "there is no event". */
export const NO_EVENT = -1n;

/** The revision of the last entry of a stream that is deleted for ever. */
export const TOMBSTONE = 9223372036854775807n;

export const METADATA_TYPE = '$metadata';
export const TOMBSTONE_TYPE = '$streamDeleted';
export const JSON_CONTENT = 'application/json';
export const BINARY_CONTENT = 'application/octet-stream';

/** Whether a stream holds the metadata of another one. */
export function isMetastream(stream: string): boolean {
  return stream.startsWith('$$');
}

/** The stream that holds the metadata of a stream. */
export function metastreamOf(stream: string): string {
  return `$$${stream}`;
}

/** The stream that a metastream describes; any other stream itself. */
export function describedStream(stream: string): string {
  return isMetastream(stream) ? stream.slice(2) : stream;
}
