import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  BINARY_CONTENT,
  JSON_CONTENT,
  type ExpectedRevision,
  type ProposedEvent,
} from '../storage/recorded-event.js';
import { invalidArgument, missingProperty, type Refusal } from '../storage/store-error.js';
import type { Written } from '../storage/write-plan.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const NO_ID = '00000000-0000-0000-0000-000000000000';
// Longer names, with the revision, would not fit into an index entry.
const LONGEST_STREAM_NAME = 1000;

/**
 * The name of a stream, as it came.
 * @throws StoreError for an invalid name
 */
export function checkedStreamName(bytes: Buffer): string {
  const name = bytes.toString('utf8');
  if (name === '' || name === '$$') throw invalidArgument('The name of the stream is missing.');
  if (name.startsWith('$$$$')) throw invalidArgument('A metadata stream has no metadata of its own.');
  if (name.includes('\0')) throw invalidArgument('The name of a stream cannot hold a zero byte.');
  if (bytes.length > LONGEST_STREAM_NAME) {
    throw invalidArgument(`The name of a stream has at most ${LONGEST_STREAM_NAME} bytes.`);
  }
  return name;
}

/** The name of a stream in a request. @throws StoreError for an invalid name */
export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  return checkedStreamName(toBuffer(identifier?.getStreamName_asU8() ?? new Uint8Array()));
}

export function streamIdentifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
}

/** An event as it came. */
export interface RawEvent {
  id: string;
  type: string | undefined;
  contentType: string | undefined;
  data: Buffer;
  metadata: Buffer;
}

/** @throws StoreError for an event that cannot be stored */
export function proposedEvent(raw: RawEvent): ProposedEvent {
  const { type, contentType, data, metadata } = raw;
  const id = raw.id.toLowerCase();
  if (type === undefined) throw missingProperty('type');
  if (contentType === undefined) throw missingProperty('content-type');
  if (!UUID.test(id)) throw invalidArgument('The id of an event is not a UUID.');
  if (id === NO_ID) throw invalidArgument('The id of an event is empty.');
  if (type === '') throw invalidArgument('The type of an event is empty.');
  if (type.includes('\0')) throw invalidArgument('The type of an event cannot hold a zero byte.');
  // Whatever is not JSON is kept as bytes, and read as such.
  return {
    id,
    type,
    contentType: contentType === JSON_CONTENT ? JSON_CONTENT : BINARY_CONTENT,
    data,
    metadata,
  };
}

/** An event of `Append`. @throws StoreError for an event that cannot be stored */
export function appendedEvent(message: streams.AppendReq.ProposedMessage): ProposedEvent {
  const fields = message.getMetadataMap();
  return proposedEvent({
    id: uuidText(message.getId()),
    type: fields.get('type'),
    contentType: fields.get('content-type'),
    data: toBuffer(message.getData_asU8()),
    metadata: toBuffer(message.getCustomMetadata_asU8()),
  });
}

function uuidText(uuid: shared.UUID | undefined): string {
  const structured = uuid?.getStructured();
  if (!structured) return uuid?.getString() ?? '';
  return structuredUuid(
    BigInt(structured.getMostSignificantBits()),
    BigInt(structured.getLeastSignificantBits()),
  );
}

/** Formats a UUID that was sent as two numbers. */
export function structuredUuid(most: bigint, least: bigint): string {
  return [most, least]
    .map((bits) => BigInt.asUintN(64, bits).toString(16).padStart(16, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface ExpectedOptions {
  hasRevision(): boolean;
  getRevision(): string;
  hasNoStream(): boolean;
  hasStreamExists(): boolean;
}

export function expectedRevision(options: ExpectedOptions): ExpectedRevision {
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  return options.hasRevision() ? BigInt(options.getRevision()) : 'any';
}

/** The answer to `Append`. */
export function appendSuccess(written: Written): streams.AppendResp {
  const success = new streams.AppendResp.Success();
  if (written.revision < 0n) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(written.revision.toString());
  if (written.position === undefined) success.setNoPosition(new shared.Empty());
  else {
    const position = written.position.toString();
    success.setPosition(
      new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
    );
  }
  return new streams.AppendResp().setSuccess(success);
}

/** `Append` answers a wrong expected version with a message of its own, not with an error. */
export function appendWrongVersion(
  refusal: Extract<Refusal, { kind: 'wrong-expected-version' }>,
): streams.AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (refusal.current < 0n) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(refusal.current.toString());
  if (refusal.expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (refusal.expected === 'no-stream') wrong.setExpectedNoStream(new shared.Empty());
  else if (refusal.expected === 'stream-exists') wrong.setExpectedStreamExists(new shared.Empty());
  else wrong.setExpectedRevision(refusal.expected.toString());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
