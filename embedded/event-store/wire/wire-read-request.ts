import streams from '@eventstore/db-client/generated/streams_pb.js';
import { eventFilter, type EventFilter } from '../storage/event-filter.js';
import type { Direction } from '../storage/event-reader.js';
import { invalidArgument } from '../storage/store-error.js';
import { streamName } from './wire-append.js';
import { MessageWriter } from './protobuf-messages.js';

/** Where a read begins: a revision of a stream, or a position of the log. */
export type ReadFrom = 'start' | 'end' | bigint;

export type ReadRequest = { resolveLinks: boolean } & (
  | {
      kind: 'read-stream';
      stream: string;
      from: ReadFrom;
      direction: Direction;
      count: bigint;
      /** Whether the client wants to be told the bounds of the stream too. */
      withBounds: boolean;
    }
  | { kind: 'read-all'; from: ReadFrom; direction: Direction; count: bigint; filter: EventFilter | undefined }
  | { kind: 'subscribe-stream'; stream: string; from: ReadFrom }
  | { kind: 'subscribe-all'; from: ReadFrom; filter: EventFilter | undefined }
);

// How many events EventStoreDB looks at in one go where the client leaves it to the server.
const DEFAULT_WINDOW = 32;

/** @throws StoreError for a request that makes no sense */
export function readRequest(request: streams.ReadReq): ReadRequest {
  const options = request.getOptions();
  if (!options) throw invalidArgument('The options of the read are missing.');
  const stream = options.getStream();
  const all = options.getAll();
  const direction: Direction =
    options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS ? 'backwards' : 'forwards';
  const count = BigInt(options.getCount());
  const resolveLinks = options.getResolveLinks();
  if (stream) {
    const name = streamName(stream.getStreamIdentifier());
    const withBounds = (options.getControlOption()?.getCompatibility() ?? 0) >= 1;
    const from: ReadFrom = stream.hasEnd()
      ? 'end'
      : stream.hasRevision()
        ? BigInt(stream.getRevision())
        : 'start';
    return options.hasSubscription()
      ? { kind: 'subscribe-stream', stream: name, from, resolveLinks }
      : { kind: 'read-stream', stream: name, from, direction, count, resolveLinks, withBounds };
  }
  if (!all) throw invalidArgument('The read names neither a stream nor $all.');
  const position = all.getPosition();
  const from: ReadFrom = all.hasEnd() ? 'end' : position ? BigInt(position.getCommitPosition()) : 'start';
  const filter = readFilter(options.getFilter());
  return options.hasSubscription()
    ? { kind: 'subscribe-all', from, filter, resolveLinks }
    : { kind: 'read-all', from, direction, count, filter, resolveLinks };
}

function readFilter(options: streams.ReadReq.Options.FilterOptions | undefined): EventFilter | undefined {
  if (!options) return undefined;
  const byStream = options.getStreamIdentifier();
  const expression = byStream ?? options.getEventType();
  if (!expression) throw invalidArgument('The filter filters nothing.');
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  return eventFilter(
    byStream ? 'stream' : 'type',
    expression.getPrefixList(),
    expression.getRegex(),
    window * options.getCheckpointintervalmultiplier(),
  );
}

const writer = new MessageWriter();

export function confirmationAnswer(subscriptionId: string): Buffer {
  writer.message(2, () => writer.string(1, subscriptionId));
  return writer.finish();
}

export function checkpointAnswer(position: bigint): Buffer {
  writer.message(3, () => {
    writer.unsigned(1, position);
    writer.unsigned(2, position);
  });
  return writer.finish();
}

export function notFoundAnswer(stream: string): Buffer {
  writer.message(4, () => writer.message(1, () => writer.string(3, stream)));
  return writer.finish();
}

export function caughtUpAnswer(): Buffer {
  writer.message(8, () => undefined);
  return writer.finish();
}

/** The first revision that can be read, for a client that asks for it. */
export function firstRevisionAnswer(revision: bigint): Buffer {
  writer.unsigned(5, revision);
  return writer.finish();
}

/** The last revision of the stream, for a client that asks for it. */
export function lastRevisionAnswer(revision: bigint): Buffer {
  writer.unsigned(6, revision);
  return writer.finish();
}
