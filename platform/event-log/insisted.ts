import { setTimeout as sleep } from 'node:timers/promises';
import {
  NotLeaderError,
  UnavailableError,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { within } from '../within.js';

/** Milliseconds that an append or a read of one stream may take, however often it is tried meanwhile. */
export const DEADLINE = 5_000;
/** What is told then. */
export const LATE = 'the event log did not answer in time';
/** Milliseconds before the event store is asked once more: meanwhile its client finds out who leads. */
const ASK_AGAIN = 100;
/** A leader that moves, and a connection that is cut once, are nothing that anybody should see. */
const MOST_TRIES = 3;

/**
 * Asks the event store, and again where it says that another node leads or a connection was lost. The deadline is
 * over all of it, and ours: the client has none for reads, and none for looking for a node.
 * @param ask its signal tells that nobody waits any more
 */
export async function insisted<Result>(ask: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const given = new AbortController();
  const insist = async (): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(given.signal);
      } catch (error) {
        const mayPass = error instanceof NotLeaderError || error instanceof UnavailableError;
        if (!mayPass || attempt >= MOST_TRIES) throw error;
        await sleep(ASK_AGAIN);
        if (given.signal.aborted) throw error;
      }
    }
  };
  try {
    return await within(DEADLINE, insist(), LATE);
  } finally {
    given.abort();
  }
}

/**
 * All events of a read, to its end: a stream that is left earlier keeps its call open.
 * @param signal ends the call where the end does not come
 */
export async function collect(
  read: StreamingRead<ResolvedEvent>,
  signal: AbortSignal,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  // A call may fail when nobody reads it any more; without a listener that would end the process.
  read.on('error', () => undefined);
  let isOver = false;
  const end = () => void (isOver || read.cancel().catch(() => undefined));
  signal.addEventListener('abort', end, { once: true });
  try {
    for await (const { event } of read) if (event) events.push(event);
    return events;
  } finally {
    isOver = true;
  }
}
