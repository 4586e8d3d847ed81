import streams from '@eventstore/db-client/generated/streams_pb.js';
import { messagesOfChunk } from './chunks.js';

const BYTES = 2;
const EVENT = (1 << 3) | BYTES;

/**
 * Decodes an answer of `Read` (`ReadResp`) for the official client. Events are decoded by hand, as far as the client looks
 * into them: the generated classes and their garbage cost more than all else that it does with an event. Any other answer
 * is left to them, and so is an event with a link, or with an id that is no text.
 * @throws an Error when it is no such message
 */
export function decodeReadAnswer(bytes: Buffer): streams.ReadResp {
  if (bytes[0] === EVENT) {
    const answer = eventAnswer(bytes);
    if (answer) return answer as unknown as streams.ReadResp;
  }
  const messages = messagesOfChunk(bytes);
  if (messages) return new PieceAnswer(messages.map(decodeReadAnswer)) as unknown as streams.ReadResp;
  return streams.ReadResp.deserializeBinary(bytes);
}

/** Events that came as one message. */
export class EventChunk {
  constructor(readonly events: readonly streams.ReadResp.ReadEvent[]) {}
}

/**
 * Several answers in one message: to the official client an event, which is a piece of them. What else is in it, such as a
 * checkpoint of a subscription, follows from the events for those who ask for pieces.
 */
class PieceAnswer {
  private readonly piece: EventChunk;

  constructor(answers: readonly streams.ReadResp[]) {
    this.piece = new EventChunk(
      answers.flatMap((answer) => (answer.hasEvent() ? (answer.getEvent() ?? []) : [])),
    );
  }

  hasEvent(): boolean {
    return this.piece.events.length > 0;
  }

  getEvent(): EventChunk {
    return this.piece;
  }
}

function eventAnswer(bytes: Buffer): EventAnswer | undefined {
  const answer = new Fields(bytes, 0, bytes.length);
  answer.next();
  const fields = answer.message();
  let event: RecordedMessage | undefined;
  let commit: bigint | undefined;
  while (fields.next()) {
    if (fields.number === 1) event = recorded(fields.message());
    else if (fields.number === 3) commit = fields.unsigned();
    else return undefined;
  }
  return event && !answer.next() ? new EventAnswer(new ReadEvent(event, commit)) : undefined;
}

function recorded(fields: Fields): RecordedMessage | undefined {
  const event = new RecordedMessage();
  while (fields.next()) {
    if (fields.number === 1) event.id = onlyField(fields.message(), 2)?.text();
    else if (fields.number === 2) event.stream = onlyField(fields.message(), 3)?.bytes();
    else if (fields.number === 3) event.revision = fields.unsigned();
    else if (fields.number === 4) event.prepare = fields.unsigned();
    else if (fields.number === 5) event.commit = fields.unsigned();
    else if (fields.number === 6) setEntry(event.entries, fields.message());
    else if (fields.number === 7) event.metadata = fields.bytes();
    else if (fields.number === 8) event.data = fields.bytes();
    else return undefined;
  }
  return event.id !== undefined && event.stream ? event : undefined;
}

/** @returns nothing for a message that begins with another field */
function onlyField(fields: Fields, number: number): Fields | undefined {
  return fields.next() && fields.number === number ? fields : undefined;
}

function setEntry(entries: Map<string, string>, fields: Fields): void {
  let [key, value] = ['', ''];
  while (fields.next()) {
    if (fields.number === 1) key = fields.text();
    else value = fields.text();
  }
  entries.set(key, value);
}

/** The methods of the generated class that the client calls; so below. */
class EventAnswer {
  constructor(private readonly event: ReadEvent) {}

  hasEvent(): boolean {
    return true;
  }

  getEvent(): ReadEvent {
    return this.event;
  }
}

class ReadEvent {
  constructor(
    private readonly event: RecordedMessage,
    private readonly commit: bigint | undefined,
  ) {}

  hasEvent(): boolean {
    return true;
  }

  getEvent(): RecordedMessage {
    return this.event;
  }

  hasLink(): boolean {
    return false;
  }

  hasCommitPosition(): boolean {
    return this.commit !== undefined;
  }

  getCommitPosition(): bigint | undefined {
    return this.commit;
  }
}

const NOTHING = new Uint8Array();

/** A recorded event, which is its own id and the identifier of its stream too. */
class RecordedMessage {
  id: string | undefined;
  stream: Uint8Array | undefined;
  revision = 0n;
  prepare = 0n;
  commit = 0n;
  metadata: Uint8Array = NOTHING;
  data: Uint8Array = NOTHING;
  readonly entries = new Map<string, string>();

  hasId(): boolean {
    return true;
  }

  getId(): this {
    return this;
  }

  hasStructured(): boolean {
    return false;
  }

  getString(): string | undefined {
    return this.id;
  }

  hasStreamIdentifier(): boolean {
    return true;
  }

  getStreamIdentifier(): this {
    return this;
  }

  getStreamName(): Uint8Array | undefined {
    return this.stream;
  }

  getStreamName_asU8(): Uint8Array | undefined {
    return this.stream;
  }

  getStreamRevision(): bigint {
    return this.revision;
  }

  getPreparePosition(): bigint {
    return this.prepare;
  }

  getCommitPosition(): bigint {
    return this.commit;
  }

  getMetadataMap(): ReadonlyMap<string, string> {
    return this.entries;
  }

  getCustomMetadata_asU8(): Uint8Array {
    return this.metadata;
  }

  getData(): Uint8Array {
    return this.data;
  }

  getData_asU8(): Uint8Array {
    return this.data;
  }
}

/** The fields of a message, one after the other. */
class Fields {
  number = 0;
  private readonly source: Buffer;
  private at: number;
  private readonly end: number;

  constructor(source: Buffer, start: number, end: number) {
    if (end > source.length) throw new RangeError('An answer of the event store is cut off.');
    this.source = source;
    this.at = start;
    this.end = end;
  }

  /** Goes to the next field. @returns false at the end */
  next(): boolean {
    if (this.at >= this.end) return false;
    this.number = this.varint() >>> 3;
    return true;
  }

  message(): Fields {
    const end = this.varint() + this.at;
    const message = new Fields(this.source, this.at, end);
    this.at = end;
    return message;
  }

  bytes(): Uint8Array {
    const start = this.skipped();
    return new Uint8Array(this.source.buffer, this.source.byteOffset + start, this.at - start);
  }

  text(): string {
    const start = this.skipped();
    return this.source.toString('utf8', start, this.at);
  }

  unsigned(): bigint {
    const start = this.at;
    const low = this.varint();
    if (Number.isSafeInteger(low)) return BigInt(low);
    let value = 0n;
    for (let index = this.at - 1; index >= start; index -= 1) {
      value = (value << 7n) | BigInt((this.source[index] ?? 0) & 0x7f);
    }
    return value;
  }

  /** Goes behind a value with a length before it. @returns where it begins */
  private skipped(): number {
    const length = this.varint();
    const start = this.at;
    this.at += length;
    if (this.at > this.end) throw new RangeError('An answer of the event store is cut off.');
    return start;
  }

  /** Exact up to 53 bits. */
  private varint(): number {
    let value = 0;
    for (let factor = 1; this.at < this.end; factor *= 128) {
      const byte = this.source[this.at++] ?? 0;
      value += (byte & 0x7f) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError('An answer of the event store is cut off.');
  }
}
