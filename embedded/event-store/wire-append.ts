import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { BINARY_CONTENT, type ExpectedRevision, type ProposedEvent } from './recorded-event.js';
import { invalidArgument, type Refusal } from './store-error.js';
import type { Written } from './write-plan.js';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
// Longer names do not fit an index entry together with the revision.
const LONGEST_STREAM_NAME = 1000;

/**
 * The name of a stream in a request.
 * @throws StoreError for a name that no stream can have
 */
export function streamName(identifier: shared.StreamIdentifier | undefined): string {
  const bytes = identifier?.getStreamName_asU8() ?? new Uint8Array();
  const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (name === '' || name === '$$') throw invalidArgument('The name of the stream is missing.');
  if (name.startsWith('$$$$')) throw invalidArgument('A metadata stream has no metadata of its own.');
  if (name.includes('\0')) throw invalidArgument('The name of a stream cannot hold a zero byte.');
  if (bytes.length > LONGEST_STREAM_NAME) {
    throw invalidArgument(`The name of a stream has at most ${LONGEST_STREAM_NAME} bytes.`);
  }
  return name;
}

export function streamIdentifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
}

/** A UUID in either of its two forms, lower-case with dashes. @throws StoreError when it is none */
export function uuidText(uuid: shared.UUID | undefined): string {
  const structured = uuid?.getStructured();
  let text = uuid?.getString().toLowerCase() ?? '';
  if (structured) {
    const digits = [structured.getMostSignificantBits(), structured.getLeastSignificantBits()]
      .map((bits) => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0'))
      .join('');
    text = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  }
  if (!UUID.test(text)) throw invalidArgument('An id is not a UUID.');
  return text;
}

interface ProposedMessage {
  getId(): shared.UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

/** @throws StoreError for an event that cannot be stored */
export function proposedEvent(message: ProposedMessage): ProposedEvent {
  const fields = message.getMetadataMap();
  const type = fields.get('type');
  const contentType = fields.get('content-type') ?? BINARY_CONTENT;
  if (type === undefined) throw invalidArgument('An event has no type.');
  if (type.includes('\0') || contentType.includes('\0')) {
    throw invalidArgument('The type of an event cannot hold a zero byte.');
  }
  return {
    id: uuidText(message.getId()),
    type,
    contentType,
    data: toBuffer(message.getData_asU8()),
    metadata: toBuffer(message.getCustomMetadata_asU8()),
  };
}

/** Bytes of an event as the limit of an append counts them. */
export function eventSize(event: ProposedEvent): number {
  return event.data.length + event.metadata.length + event.type.length * 2;
}

interface ExpectedOptions {
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
}

/** @param revision the number in the request, where it has one */
export function expectedRevision(options: ExpectedOptions, revision: string | undefined): ExpectedRevision {
  if (options.hasNoStream()) return 'no-stream';
  if (options.hasStreamExists()) return 'stream-exists';
  if (revision !== undefined) return BigInt(revision);
  return 'any';
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
