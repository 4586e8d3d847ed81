import { setTimeout as sleep } from 'node:timers/promises';
import {
  NotLeaderError,
  UnavailableError,
  type EventStoreDBClient,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { millisecondsLeft } from '../deadline.js';
import { isRefusedByMessage, ResilientEventStoreClient } from './resilient-event-store-client.js';

/** Milliseconds without an answer of the event store, over all attempts. */
export const DEADLINE = 5_000;
/** Thrown after the deadline. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';

  constructor() {
    super('the event log did not answer in time');
  }
}
/** Why a call's signal ends: without a reason of ours, each would make an error with its stack. */
const CALL_IS_OVER = 'the call is over';
/** Milliseconds before a retry: in the meantime the client finds the new leader. */
const RETRY_AFTER = 100;
/** Milliseconds before a silent node is left for another one. Nothing is lost by it: appends are idempotent. */
const OTHER_NODE_AFTER = 2_500;
/** Enough to hide a change of leader or one lost connection. */
const MAX_TRIES = 3;

/** What a call that waits for its answer hands on. */
interface Waiting {
  /** Aborts when the call is over. */
  readonly signal: AbortSignal;
  /** Reports a part of a long answer. */
  readonly onProgress?: () => void;
}

class WaitingCall implements Waiting {
  isOver = false;
  private aborting: AbortController | undefined;

  constructor(readonly onProgress: () => void) {}

  /** Made for who asks for it: an append does not, and there are many. */
  get signal(): AbortSignal {
    this.aborting ??= new AbortController();
    if (this.isOver) this.aborting.abort(CALL_IS_OVER);
    return this.aborting.signal;
  }

  end(): void {
    this.isOver = true;
    this.aborting?.abort(CALL_IS_OVER);
  }
}

/**
 * Calls the event store, with retries when the leader changed or a connection was lost or fell silent. One deadline covers
 * all attempts, the caller's own if that is earlier: the client itself has none for reads, and none for the discovery of
 * nodes. Each part of a long answer extends it.
 * @throws DeadlineExceeded after the deadline, else the error of the last attempt
 */
export async function retryWithDeadline<Result>(
  client: EventStoreDBClient,
  ask: (waiting: Waiting) => Promise<Result>,
): Promise<Result> {
  const time = Math.min(DEADLINE, millisecondsLeft());
  if (time <= 0) throw new DeadlineExceeded();
  let began = 0;
  const leaveIfSilent = () => {
    if (client instanceof ResilientEventStoreClient) client.leaveIfSilent(began);
  };
  const isCluster = client instanceof ResilientEventStoreClient && client.isCluster;
  let expire: () => void = () => undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    expire = () => {
      leaveIfSilent();
      reject(new DeadlineExceeded());
    };
  });
  const timer = setTimeout(expire, time);
  const call = new WaitingCall(() => timer.refresh());
  let other: NodeJS.Timeout | undefined;
  const attemptOnce = async (): Promise<Result> => {
    began = performance.now();
    if (isCluster) other = setTimeout(leaveIfSilent, OTHER_NODE_AFTER);
    try {
      return await ask(call);
    } finally {
      clearTimeout(other);
    }
  };
  const callWithRetries = async (): Promise<Result> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await attemptOnce();
      } catch (error) {
        if (!isTransient(error) || attempt >= MAX_TRIES) throw error;
        await sleep(RETRY_AFTER);
        if (call.isOver) throw error;
      }
    }
  };
  try {
    return await Promise.race([callWithRetries(), timeout]);
  } finally {
    clearTimeout(timer);
    clearTimeout(other);
    call.end();
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof NotLeaderError || error instanceof UnavailableError || isRefusedByMessage(error);
}

/**
 * All events of a read, to its end: a stream that is left earlier keeps its call open.
 * @param waiting its signal cancels the call before its end; it is told of each event
 */
export async function collect(
  read: StreamingRead<ResolvedEvent>,
  { signal, onProgress }: Waiting,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  // A call may fail after its last reader left; without a listener that would end the process.
  read.on('error', () => undefined);
  let isOver = false;
  const end = () => void (isOver || read.cancel().catch(() => undefined));
  signal.addEventListener('abort', end, { once: true });
  try {
    for await (const { event } of read) {
      onProgress?.();
      if (event) events.push(event);
    }
    return events;
  } finally {
    isOver = true;
  }
}
