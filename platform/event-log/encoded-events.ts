import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { CATEGORIES, streamNamed, type CategoryName } from '#contracts/event-log/categories.js';
import { availableBatches } from './batched-appends.js';
import type { LoggedEvent, LogPosition } from './event-log.js';
import { messagesOfChunk, Chunk, CHUNKS_HEADER } from './chunks.js';
import { decodeReadAnswer } from './read-answers.js';
import { asFirstRecorded } from './recorded-time.js';
import type { ResilientEventStoreClient } from './resilient-event-store-client.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';

/** What is given on has so many bytes at least, but for the last of it. */
const PIECE_BYTES = 256 * 1024;

const { read } = service.StreamsService;

/** A recorded event as `LoggedEvent`, but for what only its first reader wants. */
export type ParsedEvent = Omit<LoggedEvent, 'position' | 'created'>;

/** An event as it lies in what came from the store: its place is known, and the rest is parsed when it is asked for. */
export type EncodedEvent = streams.ReadResp.ReadEvent.RecordedEvent;

/**
 * Reads all events of some categories, from the beginning to the log's end at this moment, and gives them on as they came: for
 * another thread to decode, which takes ten times as long as to read them. Each piece has memory of its own.
 * @throws the call's error
 */
export async function* readEncoded(
  client: ResilientEventStoreClient,
  categories: readonly CategoryName[],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const request = readAllRequest(undefined, {
    prefixes: categories.map((category) => CATEGORIES[category].prefix),
  });
  const call = await client.openCall((streamsClient, metadata, options) => {
    metadata.set(CHUNKS_HEADER, '0');
    const asItCame = (bytes: Buffer) => bytes;
    return streamsClient.makeServerStreamRequest(
      read.path,
      read.requestSerialize,
      asItCame,
      request,
      metadata,
      options,
    );
  });
  // It may fail after its reader left; without a listener that would end the process.
  call.on('error', () => undefined);
  try {
    let messages: Buffer[] = [];
    let bytes = 0;
    for await (const arrived of availableBatches<Buffer>(call)) {
      messages.push(...arrived);
      bytes += arrived.reduce((sum, { length }) => sum + length, 0);
      if (bytes < PIECE_BYTES) continue;
      yield inOnePiece(messages);
      [messages, bytes] = [[], 0];
    }
    if (messages.length > 0) yield inOnePiece(messages);
  } finally {
    call.cancel();
  }
}

function inOnePiece(messages: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const piece = new Chunk(messages);
  const bytes = Buffer.from(new ArrayBuffer(piece.length));
  piece.copy(bytes);
  return bytes;
}

/**
 * The events in a piece of `readEncoded`, in order.
 * @throws an Error when it is none
 */
export function encodedEvents(piece: Uint8Array): EncodedEvent[] {
  const events: EncodedEvent[] = [];
  addEvents(Buffer.from(piece.buffer, piece.byteOffset, piece.length), events);
  return events;
}

/** What a store of ours sent as one is a piece itself. */
function addEvents(bytes: Buffer, events: EncodedEvent[]): void {
  const messages = messagesOfChunk(bytes);
  if (messages) {
    for (const message of messages) addEvents(message, events);
    return;
  }
  const event = decodeReadAnswer(bytes).getEvent()?.getEvent();
  if (event) events.push(event);
}

/** The event, parsed as the official client does; nothing where it is in no stream of ours. */
export function parsedEvent(event: EncodedEvent): ParsedEvent | undefined {
  const named = streamNamed(textOf(event.getStreamIdentifier()?.getStreamName_asU8() ?? NOTHING));
  if (!named) return undefined;
  const system = event.getMetadataMap();
  const data = event.getData_asU8();
  const metadata = event.getCustomMetadata_asU8();
  const text = system.get('content-type') === 'application/json' ? textOf(data) : undefined;
  return {
    category: named.category,
    key: named.key,
    id: event.getId()?.getString() ?? '',
    type: system.get('type') ?? '',
    revision: BigInt(event.getStreamRevision()),
    data: text === undefined ? data : parsedOr(text, text),
    metadata: asFirstRecorded({
      metadata: metadata.length === 0 ? undefined : parsedOr(textOf(metadata), metadata),
      created: NEVER,
    }).metadata,
  };
}

const NOTHING = new Uint8Array();
/** Nobody asks for it. */
const NEVER = new Date(0);

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}

function parsedOr(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return otherwise;
  }
}

/** Events that the store looks at in one go. */
const WINDOW = 500;

const { Options } = streams.ReadReq;

/** The streams whose events are read: those whose names begin with one of these, or match an expression. */
type StreamFilter = { prefixes: readonly string[] } | { regex: string };

/**
 * A read of the whole log, in the messages of the protocol: forwards, to its end at that moment. It begins with the event at
 * the position itself.
 * @param from the beginning without it
 */
export function readAllRequest(from: LogPosition | undefined, streamsRead: StreamFilter): streams.ReadReq {
  const all = new Options.AllOptions();
  if (from === undefined) all.setStart(new shared.Empty());
  else {
    const position = new Options.Position();
    position.setCommitPosition(from.commit.toString()).setPreparePosition(from.prepare.toString());
    all.setPosition(position);
  }
  const expression = new Options.FilterOptions.Expression();
  if ('regex' in streamsRead) expression.setRegex(streamsRead.regex);
  else expression.setPrefixList([...streamsRead.prefixes]);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(expression).setMax(WINDOW).setCheckpointintervalmultiplier(1);
  const options = new Options();
  options.setAll(all).setFilter(filter).setCount(Number.MAX_SAFE_INTEGER.toString());
  options.setResolveLinks(false).setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));
  options.setReadDirection(Options.ReadDirection.FORWARDS);
  return new streams.ReadReq().setOptions(options);
}
