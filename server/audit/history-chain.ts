import { createHash } from 'node:crypto';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  type ExportEvent,
  type ExportFooter,
  type ExportHeader,
} from '#contracts/audit/history-export.js';
import { borrowStream } from '#contracts/borrowing/borrow-events.js';
import type { LoggedEvent } from '#platform/event-log/event-log.js';

/** The part of the log that a file contains. */
export interface ExportedPart {
  library: string;
  readerId: string;
  /** The first and the last revision; -1 for `to` if there are no events. */
  from: number;
  to: number;
  exportedAt: Date;
}

/** SHA-256 over the canonical JSON of the header without its own hash. */
export function hashOfHeader({ firstHash: _firstHash, ...header }: Partial<ExportHeader>): string {
  return sha256(canonicalJson(header));
}

/** SHA-256 over the previous hash and the canonical JSON of the event without its own hash. */
export function hashOfEvent(before: string, { hash: _hash, ...event }: Partial<ExportEvent>): string {
  return sha256(before + canonicalJson(event));
}

function exportHeader({ library, readerId, from, to, exportedAt }: ExportedPart): ExportHeader {
  const header = {
    kind: 'header' as const,
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    library,
    readerId,
    stream: borrowStream(readerId),
    from,
    to,
    exportedAt: exportedAt.toISOString(),
  } as const;
  return { ...header, firstHash: hashOfHeader(header) };
}

/** An event as a line of the file, without its hash. */
export function exportedEvent(recorded: LoggedEvent): Omit<ExportEvent, 'hash'> {
  return {
    kind: 'event',
    revision: Number(recorded.revision),
    id: recorded.id,
    type: recorded.type,
    recordedAt: recorded.created.toISOString(),
    data: recorded.data,
    metadata: recorded.metadata,
  };
}

/**
 * The lines of an export, each with its line feed: header, events, footer. Of a written line, only the hash stays in
 * memory.
 */
export async function* exportLines(
  part: ExportedPart,
  events: AsyncIterable<LoggedEvent>,
): AsyncGenerator<string> {
  const header = exportHeader(part);
  yield line(header);
  let hash = header.firstHash;
  let count = 0;
  for await (const recorded of events) {
    const event = exportedEvent(recorded);
    hash = hashOfEvent(hash, event);
    count += 1;
    yield line({ ...event, hash });
  }
  yield line({ kind: 'footer', count, finalHash: hash } satisfies ExportFooter);
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * A JSON value in canonical form: RFC 8785. Keys are sorted by UTF-16 code units, there is no white space, strings and
 * numbers are written as in ECMAScript. Its UTF-8 bytes are hashed.
 * @param value any result of `JSON.parse`; a key whose value is `undefined` counts as absent
 * @throws TypeError for what JSON cannot hold
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    throw new TypeError(`${String(value)} cannot be written as JSON`);
  }
  return JSON.stringify(value);
}
