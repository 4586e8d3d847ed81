import {
  BACKWARDS,
  END,
  FORWARDS,
  UnknownError,
  type EventStoreDBClient,
  type Position,
  type RecordedEvent,
} from '@eventstore/db-client';
import { another, diverged, movedAway, shorter, unfinished, type ExpectedLog } from './log-proof.js';
import { LogRecord } from './log-record.js';
import { collect, retryWithDeadline } from './retry-with-deadline.js';

/**
 * Compares the log of a store with what it must be.
 * @returns its identity
 * @throws WrongLog; the error of the store when it is unavailable
 */
export async function proveLog(store: EventStoreDBClient, { logId, reached }: ExpectedLog): Promise<string> {
  const self = await new LogRecord(store).read();
  if (self?.moved) throw movedAway(self.moved);
  if (self?.logId !== logId)
    throw self?.continued?.from === logId ? unfinished() : another(self?.logId, logId);
  const end = await endOf(store);
  for (const { commit } of reached) if (end < BigInt(commit)) throw shorter(end, BigInt(commit));
  for (const { commit, prepare, event } of reached) {
    if (event === null) continue;
    const position = { commit: BigInt(commit), prepare: BigInt(prepare) };
    if ((await eventAt(store, position))?.id !== event) throw diverged(position.commit);
  }
  return logId;
}

/** Where a log ends; -1 if it is empty. A cluster's follower may lag, and its log seem shorter than it is. */
async function endOf(store: EventStoreDBClient): Promise<bigint> {
  const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true } as const;
  const [last] = await retryWithDeadline(store, (waiting) => collect(store.readAll(newest), waiting));
  return last?.position?.commit ?? -1n;
}

/**
 * The event at a position before the end of the log.
 * @returns nothing if none begins there
 */
async function eventAt(store: EventStoreDBClient, position: Position): Promise<RecordedEvent | undefined> {
  const from = { direction: FORWARDS, fromPosition: position, maxCount: 1, requiresLeader: true } as const;
  try {
    const [event] = await retryWithDeadline(store, (waiting) => collect(store.readAll(from), waiting));
    return event?.position?.commit === position.commit ? event : undefined;
  } catch (error) {
    // EventStoreDB fails where the position lies within an event.
    if (error instanceof UnknownError) return undefined;
    throw error;
  }
}
