import { messagesOfChunk } from '#platform/event-log/chunks.js';
import { MessageReader } from './protobuf-messages.js';
import type { ExpectedRevision } from '../storage/recorded-event.js';
import { structuredUuid, type RawEvent } from './wire-append.js';

/** One message of a `BatchAppend` call: an append, or a part of a long one. */
export interface BatchRequest {
  correlationId: string;
  /** With the first message of an append. */
  options?: BatchOptions;
  events: RawEvent[];
  isFinal: boolean;
}

export interface BatchOptions {
  streamName: Buffer;
  expected: ExpectedRevision;
  /** Milliseconds since 1970. */
  deadline: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * Decodes `BatchAppendReq`. By hand, as its answer is encoded by hand: the generated classes make garbage
 * with every field.
 * @throws an Error when it is no such message
 */
export function decodeBatchRequest(bytes: Buffer): BatchRequest {
  const request: BatchRequest = { correlationId: '', events: [], isFinal: false };
  const reader = new MessageReader(bytes);
  while (reader.next()) {
    if (reader.field === 1) request.correlationId = decodeUuid(reader.message());
    else if (reader.field === 2) request.options = decodeOptions(reader.message());
    else if (reader.field === 3) request.events.push(decodeEvent(reader.message()));
    else if (reader.field === 4) request.isFinal = reader.boolean();
    else reader.skip();
  }
  return request;
}

/** The same of one message, or of a piece of several. */
export function decodeBatchRequests(bytes: Buffer): BatchRequest[] {
  return messagesOfChunk(bytes)?.map(decodeBatchRequest) ?? [decodeBatchRequest(bytes)];
}

function decodeOptions(reader: MessageReader): BatchOptions {
  const options: BatchOptions = { streamName: NOTHING, expected: 'any', deadline: Infinity };
  while (reader.next()) {
    if (reader.field === 1) options.streamName = decodeIdentifier(reader.message());
    else if (reader.field === 2) options.expected = reader.unsigned();
    else if (reader.field === 6) options.deadline = decodeTime(reader.message());
    else if (reader.field === 7) options.deadline = Date.now() + decodeTime(reader.message());
    else {
      if (reader.field === 3) options.expected = 'no-stream';
      else if (reader.field === 5) options.expected = 'stream-exists';
      reader.skip();
    }
  }
  return options;
}

function decodeIdentifier(reader: MessageReader): Buffer {
  let name: Buffer = NOTHING;
  while (reader.next()) {
    if (reader.field === 3) name = reader.bytes();
    else reader.skip();
  }
  return name;
}

/** A `Timestamp` or a `Duration`, in milliseconds: both have the same fields. */
function decodeTime(reader: MessageReader): number {
  let seconds = 0n;
  let nanos = 0n;
  while (reader.next()) {
    if (reader.field === 1) seconds = BigInt.asIntN(64, reader.unsigned());
    else if (reader.field === 2) nanos = reader.unsigned();
    else reader.skip();
  }
  return Number(seconds) * 1000 + Number(nanos) / 1e6;
}

function decodeUuid(reader: MessageReader): string {
  let text = '';
  while (reader.next()) {
    if (reader.field === 2) text = reader.string();
    else if (reader.field === 1) text = decodeStructuredUuid(reader.message());
    else reader.skip();
  }
  return text;
}

function decodeStructuredUuid(reader: MessageReader): string {
  let most = 0n;
  let least = 0n;
  while (reader.next()) {
    if (reader.field === 1) most = reader.unsigned();
    else if (reader.field === 2) least = reader.unsigned();
    else reader.skip();
  }
  return structuredUuid(most, least);
}

function decodeEvent(reader: MessageReader): RawEvent {
  const event: RawEvent = {
    id: '',
    type: undefined,
    contentType: undefined,
    data: NOTHING,
    metadata: NOTHING,
  };
  while (reader.next()) {
    if (reader.field === 1) event.id = decodeUuid(reader.message());
    else if (reader.field === 2) decodeField(reader.message(), event);
    else if (reader.field === 3) event.metadata = reader.bytes();
    else if (reader.field === 4) event.data = reader.bytes();
    else reader.skip();
  }
  return event;
}

function decodeField(reader: MessageReader, event: RawEvent): void {
  let key = '';
  let value = '';
  while (reader.next()) {
    if (reader.field === 1) key = reader.string();
    else if (reader.field === 2) value = reader.string();
    else reader.skip();
  }
  if (key === 'type') event.type = value;
  else if (key === 'content-type') event.contentType = value;
}
