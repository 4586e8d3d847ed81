import { createHash } from 'node:crypto';
import * as m from '#words/messages.js';
import type { LogPosition } from '#platform/event-log/event-log.js';
import { firstRecorded, withRecordedTime } from '#platform/event-log/recorded-time.js';

/** An event byte for byte, readable or not. */
export interface VerbatimEvent {
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Buffer;
  /** As it was first recorded. */
  readonly metadata: Buffer;
  /** When it was first recorded, in whatever log. */
  readonly recordedAt: Date;
  /** When this log recorded it. */
  readonly created: Date;
  readonly position: LogPosition;
}

/** Takes the time of recording from the metadata if an earlier move has put it there. */
export function verbatimEvent(stored: Omit<VerbatimEvent, 'recordedAt'>): VerbatimEvent {
  const first = firstRecorded(stored.metadata);
  return { ...stored, metadata: first?.metadata ?? stored.metadata, recordedAt: first?.at ?? stored.created };
}

/** The metadata to store in the other log. */
export function carriedMetadata({ metadata, recordedAt }: VerbatimEvent): Buffer {
  return withRecordedTime({ metadata, at: recordedAt });
}

/** The beginning of a chain. */
export const NO_EVENTS = Buffer.alloc(32);

/**
 * The chain over the events up to this one: SHA-256 over the hash before it (32 bytes) and the event's parts, each with its
 * length in bytes (32 bits, big endian) before it: id, type, content type, stream, revision, time of recording in ISO
 * format, data, metadata.
 */
export function chainHash(before: Buffer, event: VerbatimEvent): Buffer {
  return createHash('sha256').update(before).update(encoded(event)).digest();
}

/** Whether no part of two events differs. */
export function areEqual(one: VerbatimEvent, other: VerbatimEvent): boolean {
  return encoded(one).equals(encoded(other));
}

const PARTS = [
  m.cli_part_id,
  m.cli_part_type,
  m.cli_part_content_type,
  m.cli_part_stream,
  m.cli_part_revision,
  m.cli_part_time,
  m.cli_part_data,
  m.cli_part_metadata,
];

/** The name of the first part in which two events differ. */
export function differingPart(one: VerbatimEvent, other: VerbatimEvent): string {
  const [ours, theirs] = [partsOf(one), partsOf(other)];
  const named = PARTS.find(
    (_, index) => Buffer.compare(ours[index] ?? NO_EVENTS, theirs[index] ?? NO_EVENTS) !== 0,
  );
  return (named ?? m.cli_part_form)();
}

function encoded(event: VerbatimEvent): Buffer {
  return Buffer.concat(
    partsOf(event).flatMap((part) => {
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32BE(part.length);
      return [length, part];
    }),
  );
}

function partsOf(event: VerbatimEvent): Buffer[] {
  const { id, type, contentType, stream, revision, recordedAt, data, metadata } = event;
  const texts = [id, type, contentType, stream, revision.toString(), recordedAt.toISOString()];
  return [...texts.map((text) => Buffer.from(text)), data, metadata];
}

/** For a person: where the event is. */
export function eventName({ type, revision, stream }: VerbatimEvent): string {
  return m.cli_event_name({ type, revision: String(revision), stream });
}
