import protobuf from 'protobufjs/minimal.js';
import {
  ANY,
  NO_STREAM,
  STREAM_EXISTS,
  type AppendToStreamOptions,
  type EventData,
} from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const BYTES = 2;
const tag = (field: number, type = BYTES) => (field << 3) | type;

/** One append, of which a call has many under way. */
export interface Append {
  correlationId: string;
  stream: string;
  expected: NonNullable<AppendToStreamOptions['expectedRevision']>;
  /** Milliseconds from its arrival at the store, whose clock may be another. */
  within: number;
  events: readonly EventData[];
  /** Bytes of events in one message, at most. */
  messageBytes: number;
}

/**
 * Encodes an append (`BatchAppendReq`), a long one as several messages. By hand, as what is read is decoded by hand: the
 * generated classes encode each event twice.
 */
export function encodeAppend(append: Append): Buffer[] {
  const { events, messageBytes } = append;
  const messages: Buffer[] = [];
  let piece: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    const encoded = encodeEvent(event);
    if (piece.length > 0 && bytes + encoded.length >= messageBytes) {
      messages.push(encodeMessage(append, piece, messages.length === 0, false));
      piece = [];
      bytes = 0;
    }
    piece.push(encoded);
    bytes += encoded.length;
  }
  messages.push(encodeMessage(append, piece, messages.length === 0, true));
  return messages;
}

function encodeMessage(
  { correlationId, stream, expected, within }: Append,
  events: readonly Buffer[],
  isFirst: boolean,
  isFinal: boolean,
): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(tag(1)).fork().uint32(tag(2)).string(correlationId).ldelim();
  if (isFirst) {
    writer.uint32(tag(2)).fork();
    writer.uint32(tag(1)).fork().uint32(tag(3)).string(stream).ldelim();
    if (typeof expected === 'bigint') writer.uint32(tag(2, 0)).uint64(String(expected));
    else writer.uint32(tag(EXPECTED[expected])).uint32(0);
    writer.uint32(tag(7)).fork();
    const left = Math.max(0, within);
    writer.uint32(tag(1, 0)).int64(Math.floor(left / 1000));
    writer.uint32(tag(2, 0)).int32((left % 1000) * 1_000_000);
    writer.ldelim().ldelim();
  }
  for (const event of events) writer.uint32(tag(3)).bytes(event);
  if (isFinal) writer.uint32(tag(4, 0)).bool(true);
  return writer.finish() as Buffer;
}

/** The fields of the three states, each of them an empty message. */
const EXPECTED = { [NO_STREAM]: 3, [ANY]: 4, [STREAM_EXISTS]: 5 };

function encodeEvent({ id, type, contentType, data, metadata }: EventData): Buffer {
  const writer = protobuf.Writer.create();
  writer.uint32(tag(1)).fork().uint32(tag(2)).string(id).ldelim();
  writer.uint32(tag(2)).fork().uint32(tag(1)).string('type').uint32(tag(2)).string(type).ldelim();
  writer
    .uint32(tag(2))
    .fork()
    .uint32(tag(1))
    .string('content-type')
    .uint32(tag(2))
    .string(contentType)
    .ldelim();
  const custom = metadata && bytesOf(metadata);
  if (custom) writer.uint32(tag(3)).bytes(custom);
  writer.uint32(tag(4)).bytes(contentType === 'application/json' ? json(data) : data);
  return writer.finish() as Buffer;
}

function bytesOf(metadata: unknown): Uint8Array {
  return metadata instanceof Uint8Array ? metadata : json(metadata);
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** The answer to one append. */
export interface AppendAnswer {
  correlationId: string;
  revision: bigint;
  position: { commit: bigint; prepare: bigint } | undefined;
  /** As the generated classes decode it. */
  refusal?: streams.BatchAppendResp;
}

/** Decodes `BatchAppendResp`. @throws an Error when it is no such message */
export function decodeAppendAnswer(bytes: Buffer): AppendAnswer {
  const answer: AppendAnswer = { correlationId: '', revision: 0n, position: undefined };
  const reader = protobuf.Reader.create(bytes);
  while (reader.pos < reader.len) {
    const field = reader.uint32();
    if (field === tag(1)) answer.correlationId = decodeUuid(reader);
    else if (field === tag(2)) {
      answer.refusal = streams.BatchAppendResp.deserializeBinary(bytes);
      reader.skipType(BYTES);
    } else if (field === tag(3)) decodeSuccess(reader, answer);
    else reader.skipType(field & 7);
  }
  return answer;
}

function decodeSuccess(reader: protobuf.Reader, answer: AppendAnswer): void {
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const field = reader.uint32();
    if (field === tag(1, 0)) answer.revision = unsigned(reader);
    else if (field === tag(3)) answer.position = decodePosition(reader);
    else reader.skipType(field & 7);
  }
}

function decodePosition(reader: protobuf.Reader): { commit: bigint; prepare: bigint } {
  const position = { commit: 0n, prepare: 0n };
  const end = reader.uint32() + reader.pos;
  while (reader.pos < end) {
    const field = reader.uint32();
    if (field === tag(1, 0)) position.commit = unsigned(reader);
    else if (field === tag(2, 0)) position.prepare = unsigned(reader);
    else reader.skipType(field & 7);
  }
  return position;
}

/** A text, or two numbers: EventStoreDB answers with those. */
function decodeUuid(reader: protobuf.Reader): string {
  const end = reader.uint32() + reader.pos;
  let text = '';
  while (reader.pos < end) {
    const field = reader.uint32();
    if (field === tag(2)) text = reader.string();
    else if (field === tag(1)) text = decodeStructuredUuid(reader);
    else reader.skipType(field & 7);
  }
  return text;
}

function decodeStructuredUuid(reader: protobuf.Reader): string {
  const end = reader.uint32() + reader.pos;
  const bytes = Buffer.alloc(16);
  while (reader.pos < end) {
    const field = reader.uint32();
    if (field === tag(1, 0)) bytes.writeBigUInt64BE(unsigned(reader), 0);
    else if (field === tag(2, 0)) bytes.writeBigUInt64BE(unsigned(reader), 8);
    else reader.skipType(field & 7);
  }
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function unsigned(reader: protobuf.Reader): bigint {
  const { high, low } = reader.uint64();
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
}
