import { setTimeout as sleep } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LogPosition } from '#platform/event-log/event-log.js';
import { readAllRequest } from '#platform/event-log/encoded-events.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { isTransient } from './ordered-appends.js';
import { verbatimEvent, type VerbatimEvent } from './verbatim-event.js';

/** Reads without progress before a lost connection counts as lost. */
const MAX_TRIES = 5;
const RETRY_AFTER = 1_000;
/** Streams of the event store itself begin with a dollar sign. */
const OURS = '^[^$]';
const TICKS_PER_MILLISECOND = 10_000n;

/**
 * All events of the log but the event store's own, in the order of the whole log, to its end at this moment. Goes on where
 * it was when a connection is lost.
 * @param after the place of an event; the beginning without it
 */
export async function* readLog(
  client: ResilientEventStoreClient,
  after: LogPosition | undefined,
  signal: AbortSignal,
): AsyncGenerator<VerbatimEvent> {
  let position = after;
  for (let failures = 0; ;) {
    try {
      for await (const event of readOnce(client, position, signal)) {
        failures = 0;
        position = event.position;
        yield event;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      if (!isTransient(error) || failures >= MAX_TRIES) throw error;
      await sleep(RETRY_AFTER, undefined, { signal });
    }
  }
}

async function* readOnce(
  client: ResilientEventStoreClient,
  after: LogPosition | undefined,
  signal: AbortSignal,
): AsyncGenerator<VerbatimEvent> {
  const call = await client.openCall((service, ...parameters) =>
    service.read(readAllRequest(after, { regex: OURS }), ...parameters),
  );
  const cancel = () => call.cancel();
  // It may fail after the last event was taken; without a listener that would end the process.
  call.on('error', () => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for await (const message of call as AsyncIterable<streams.ReadResp>) {
      const recorded = message.getEvent()?.getEvent();
      const event = recorded && eventOf(recorded);
      // A read begins with the event at the position itself.
      if (event && event.position.commit !== after?.commit) yield event;
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function eventOf(recorded: streams.ReadResp.ReadEvent.RecordedEvent): VerbatimEvent | undefined {
  const stream = Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  if (stream.startsWith('$')) return undefined;
  const system = recorded.getMetadataMap();
  return verbatimEvent({
    stream,
    revision: BigInt(recorded.getStreamRevision()),
    id: recorded.getId()?.getString() ?? '',
    type: system.get('type') ?? '',
    contentType: system.get('content-type') ?? '',
    data: Buffer.from(recorded.getData_asU8()),
    metadata: Buffer.from(recorded.getCustomMetadata_asU8()),
    created: new Date(Number(BigInt(system.get('created') ?? '0') / TICKS_PER_MILLISECOND)),
    position: {
      commit: BigInt(recorded.getCommitPosition()),
      prepare: BigInt(recorded.getPreparePosition()),
    },
  });
}
