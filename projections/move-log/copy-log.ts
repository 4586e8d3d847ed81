import { setTimeout as sleep } from 'node:timers/promises';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { OrderedAppends, StreamMovedOn, isTransient } from './ordered-appends.js';
import { chainHash, type VerbatimEvent } from './verbatim-event.js';
import type { Agreement } from './walk-logs.js';

/** Of one append; both stores take 1 MiB unless they are set otherwise. A larger event is sent alone. */
const MAX_EVENTS = 500;
const MAX_BYTES = 256 * 1024;
const MAX_TRIES = 5;
const RETRY_AFTER = 1_000;

export interface Copying {
  /** The events of the source after a place. */
  read: (after: Agreement) => AsyncIterable<VerbatimEvent>;
  target: ResilientEventStoreClient;
  /** Looks what of it the target has after a place: what was sent when a connection broke may be stored or not. */
  look: (after: Agreement) => Promise<Agreement>;
  /** Called for each event of the source that is read, perhaps twice. */
  onRead: (read: Agreement) => void;
  /** Called for what is stored. */
  onStored: (stored: Agreement) => void;
  signal: AbortSignal;
}

/**
 * Appends what the source has after a place to the target: each event to its stream at its revision, in the order of the
 * whole log.
 * @throws LogsDiffer; an Error with a sentence
 */
export async function copyLog(from: Agreement, copying: Copying): Promise<Agreement> {
  let stored = from;
  const onStored = (now: Agreement) => copying.onStored((stored = now));
  for (let failures = 0; ;) {
    const before = stored.events;
    try {
      return await copyOnce(stored, copying, onStored);
    } catch (error) {
      copying.signal.throwIfAborted();
      failures = stored.events > before ? 1 : failures + 1;
      if (!(isTransient(error) || error instanceof StreamMovedOn) || failures >= MAX_TRIES) throw error;
      await sleep(RETRY_AFTER, undefined, { signal: copying.signal });
      onStored(await copying.look(stored));
    }
  }
}

async function copyOnce(
  from: Agreement,
  { read, target, onRead, signal }: Copying,
  onStored: (stored: Agreement) => void,
): Promise<Agreement> {
  const appends = await OrderedAppends.open<Agreement>(target, (mark, position) =>
    onStored({ ...mark, target: position }),
  );
  let reached = from;
  let run: VerbatimEvent[] = [];
  let bytes = 0;
  const flush = async () => {
    if (run.length > 0) await appends.add(run, reached);
    run = [];
    bytes = 0;
  };
  try {
    for await (const event of read(from)) {
      signal.throwIfAborted();
      const size = event.data.length + event.metadata.length;
      const isNext = follows(event, run.at(-1)) && run.length < MAX_EVENTS && bytes + size <= MAX_BYTES;
      if (!isNext) await flush();
      run.push(event);
      bytes += size;
      reached = {
        events: reached.events + 1,
        chain: chainHash(reached.chain, event),
        source: event.position,
        target: undefined,
      };
      onRead(reached);
    }
    await flush();
    await appends.finish();
    return reached;
  } finally {
    appends.close();
  }
}

function follows({ stream, revision }: VerbatimEvent, last: VerbatimEvent | undefined): boolean {
  return last?.stream === stream && last.revision + 1n === revision;
}
