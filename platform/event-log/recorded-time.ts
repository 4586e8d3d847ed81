/**
 * The time at which an event was first recorded, carried along when a log is moved: a new log gives each event a new time,
 * and EventStoreDB takes none from a client. It lies in the event's metadata, under a name of ours, so that it is in every
 * copy and backup of the log. Whoever reads events reads the first time, and the metadata without it.
 */
const RECORDED_AT = 'lectern.recordedAt';
/** What is no JSON object cannot take a further field: it lies beside the time as base64. */
const WRAPPED = 'lectern.metadata';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OPENING = `"${RECORDED_AT}":"`;
/** `"lectern.recordedAt":"2026-11-22T12:00:00.000Z"}`: the very end of the metadata. */
const LENGTH = OPENING.length + 24 + 2;
const [COMMA, BRACE_OPEN, BRACE_CLOSE] = [0x2c, 0x7b, 0x7d];

/** Metadata as first recorded, byte for byte, and when that was. */
export interface FirstRecorded {
  metadata: Buffer;
  at: Date;
}

/** The metadata to store in another log. `firstRecorded` gives back exactly what went in. */
export function withRecordedTime({ metadata, at }: FirstRecorded): Buffer {
  const end = `${OPENING}${at.toISOString()}"}`;
  if (!isObject(metadata) || metadata.at(-1) !== BRACE_CLOSE || metadata[0] !== BRACE_OPEN) {
    return Buffer.from(`{"${WRAPPED}":"${metadata.toString('base64')}",${end}`);
  }
  const open = metadata.subarray(0, -1);
  const isEmpty = open.subarray(1).toString('latin1').trim() === '';
  return Buffer.concat([open, Buffer.from(isEmpty ? end : `,${end}`)]);
}

/** What a move has carried in the metadata of an event; nothing if the event was never moved. */
export function firstRecorded(stored: Buffer): FirstRecorded | undefined {
  const end = stored.subarray(-LENGTH).toString('latin1');
  const time = end.slice(OPENING.length, -2);
  if (!end.startsWith(OPENING) || !end.endsWith('"}') || !ISO.test(time)) return undefined;
  const before = stored.subarray(0, -LENGTH);
  const rest = before.at(-1) === COMMA ? before.subarray(0, -1) : before;
  const metadata = Buffer.concat([rest, Buffer.from('}')]);
  const [, wrapped] =
    new RegExp(`^{"${WRAPPED}":"([A-Za-z0-9+/=]*)"}$`).exec(metadata.toString('latin1')) ?? [];
  return {
    metadata: wrapped === undefined ? metadata : Buffer.from(wrapped, 'base64'),
    at: new Date(time),
  };
}

/** The same for an event as the client parsed it: its metadata and its time as they were when it was first recorded. */
export function asFirstRecorded(event: { metadata: unknown; created: Date }): {
  metadata: unknown;
  created: Date;
} {
  const { metadata, created } = event;
  // Most events were never moved.
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, RECORDED_AT))
    return { metadata, created };
  const { [RECORDED_AT]: at, ...rest } = metadata as Record<string, unknown>;
  if (typeof at !== 'string' || !ISO.test(at)) return { metadata, created };
  const { [WRAPPED]: wrapped } = rest;
  const isWrapped = typeof wrapped === 'string' && Object.keys(rest).length === 1;
  return { metadata: isWrapped ? parsed(Buffer.from(wrapped, 'base64')) : rest, created: new Date(at) };
}

/** As the official client does. */
function parsed(metadata: Buffer): unknown {
  if (metadata.length === 0) return undefined;
  try {
    return JSON.parse(metadata.toString('utf8')) as unknown;
  } catch {
    return new Uint8Array(metadata);
  }
}

function isObject(metadata: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(metadata.toString('utf8'));
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, WRAPPED)
    );
  } catch {
    return false;
  }
}
