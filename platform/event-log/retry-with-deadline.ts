import { setTimeout as sleep } from 'node:timers/promises';
import {
  NotLeaderError,
  UnavailableError,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';

/** Milliseconds for which the event store may say nothing, however often it is asked meanwhile. */
export const DEADLINE = 5_000;
/** What is told then. */
export class LateAnswer extends Error {
  override readonly name = 'LateAnswer';

  constructor() {
    super('the event log did not answer in time');
  }
}
/** Milliseconds before the event store is asked once more: meanwhile its client finds out who leads. */
const ASK_AGAIN = 100;
/** A leader that moves, and a connection that is cut once, are nothing that anybody should see. */
const MAX_TRIES = 3;

/**
 * Asks the event store, and again where it says that another node leads or a connection was lost. The deadline is
 * over all of it, and ours: the client has none for reads, and none for looking for a node. Whoever hears a part of a
 * long answer gives it more time.
 * @param ask its signal tells that nobody waits any more
 * @throws an Error when the time is over, else what the last try throws
 */
export async function retryWithDeadline<Result>(
  ask: (signal: AbortSignal, heard: () => void) => Promise<Result>,
): Promise<Result> {
  const given = new AbortController();
  let giveUp: () => void = () => undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(new LateAnswer());
  });
  const timer = setTimeout(giveUp, DEADLINE);
  const insist = async (): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask(given.signal, () => timer.refresh());
      } catch (error) {
        const mayPass = error instanceof NotLeaderError || error instanceof UnavailableError;
        if (!mayPass || attempt >= MAX_TRIES) throw error;
        await sleep(ASK_AGAIN);
        if (given.signal.aborted) throw error;
      }
    }
  };
  try {
    return await Promise.race([insist(), silence]);
  } finally {
    clearTimeout(timer);
    given.abort();
  }
}

/**
 * All events of a read, to its end: a stream that is left earlier keeps its call open.
 * @param signal ends the call where the end does not come
 * @param heard told of each event
 */
export async function collect(
  read: StreamingRead<ResolvedEvent>,
  signal: AbortSignal,
  heard: () => void = () => undefined,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  // A call may fail when nobody reads it any more; without a listener that would end the process.
  read.on('error', () => undefined);
  let isOver = false;
  const end = () => void (isOver || read.cancel().catch(() => undefined));
  signal.addEventListener('abort', end, { once: true });
  try {
    for await (const { event } of read) {
      heard();
      if (event) events.push(event);
    }
    return events;
  } finally {
    isOver = true;
  }
}
