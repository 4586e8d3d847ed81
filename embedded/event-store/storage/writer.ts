import { LRUCache } from 'lru-cache';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { findEventPlaces, insertEvents } from './event-rows.js';
import type { LiveTail } from './live-tail.js';
import { errorDetail, type Log } from './log.js';
import { describedStream } from './recorded-event.js';
import { StoreError, databaseFailure, isConnectionFailure, unavailable } from './store-error.js';
import { lastRevision, loadStreamStates, type StreamState } from './stream-state.js';
import { WriteQueue, type QueuedWrite, type WriteRequest } from './write-queue.js';
import { WritePlan, type WriteCommand, type Written } from './write-plan.js';
import { openWriterConnection, type WriterConnection } from './writer-connection.js';

// States of streams kept in memory: a hot stream's append then needs no look at the database first.
const CACHED_STREAMS = 20_000;
const RETRY_MS = 250;
const LONGEST_RETRY_MS = 2000;

export interface WriterOptions {
  databaseUrl: string;
  /** How long to wait for another writer to leave, at start and after a lost connection. */
  lockTimeoutMs: number;
  log: Log;
}

/**
 * The one writer of the log. Commands wait in memory while a batch is being committed; then all that wait
 * become the next batch: judged against the states of their streams, written by one statement, and answered
 * after its commit.
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #queue = new WriteQueue();
  readonly #states = new LRUCache<string, StreamState>({ max: CACHED_STREAMS });
  #connection: WriterConnection | undefined;
  #tail: LiveTail | undefined;
  #onFenced: () => void = () => undefined;
  #busy: Promise<void> | undefined;
  #recovering: Promise<void> | undefined;
  #stopped = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /**
   * Takes the writer lock and starts writing.
   * @param makeTail makes the tail that committed events are published to, given the end of the log
   * @param onFenced called while the store cannot become the writer again: what it shows may be out of date
   * @throws WriterLockHeldError when another store writes to this database
   */
  async start<T extends LiveTail>(makeTail: (last: bigint) => T, onFenced: () => void): Promise<T> {
    this.#onFenced = onFenced;
    const connection = await this.#open();
    const tail = makeTail(connection.lastPosition);
    this.#tail = tail;
    this.#connection = connection;
    return tail;
  }

  /**
   * Writes when its turn comes.
   * @returns after the commit
   * @throws StoreError when refused; "unavailable" and "timeout" leave open whether it was written
   */
  submit(command: WriteCommand, request: WriteRequest): Promise<Written> {
    if (!this.#connection) return Promise.reject(noWriter());
    const written = this.#queue.add(command, request);
    this.#busy ??= this.#drain();
    return written;
  }

  /** Where too much waits to be written already: resolves when there is room again. */
  roomIfFull(): Promise<void> | undefined {
    return this.#queue.roomIfFull();
  }

  /** Writes what waits, then gives the lock back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#busy;
    const connection = this.#connection;
    this.#connection = undefined;
    this.#queue.refuseAll(noWriter());
    await connection?.close();
    await this.#recovering;
    this.#queue.stop();
  }

  #open(): Promise<WriterConnection> {
    const { databaseUrl, lockTimeoutMs } = this.#options;
    return openWriterConnection(databaseUrl, lockTimeoutMs, () => this.#fence('connection lost'));
  }

  async #drain(): Promise<void> {
    let writers = 1;
    for (;;) {
      // Whoever was just answered tends to ask again at once: with many writers, a short wait for half of them
      // gives half as many commits, while the other half is served. A lone writer never waits.
      await this.#queue.gathered(Math.floor(writers / 2));
      const batch = this.#queue.take();
      if (batch.length === 0) break;
      await this.#writeBatch(batch);
      writers = batch.length + this.#queue.waiting;
    }
    this.#busy = undefined;
  }

  async #writeBatch(batch: readonly QueuedWrite[]): Promise<void> {
    const connection = this.#connection;
    const tail = this.#tail;
    if (!connection || !tail) {
      for (const write of batch) write.refuse(noWriter());
      return;
    }
    try {
      const plan = await this.#plan(connection.client, tail.last, batch);
      const outcomes = batch.map(({ command }) => plan.apply(command));
      await insertEvents(connection.client, plan.rows);
      if (this.#connection !== connection) throw noWriter();
      for (const [stream, state] of plan.states) this.#states.set(stream, state);
      for (const [index, write] of batch.entries()) settle(write, outcomes[index]);
      tail.publish(plan.rows);
    } catch (error) {
      await this.#failBatch(batch, connection, error);
    }
  }

  async #plan(client: pg.Client, last: bigint, batch: readonly QueuedWrite[]): Promise<WritePlan> {
    const states = new Map<string, StreamState>();
    const missing = new Set<string>();
    for (const { command } of batch) {
      const stream = describedStream(command.stream);
      const state = this.#states.get(stream);
      if (state) states.set(stream, state);
      else missing.add(stream);
    }
    for (const [stream, state] of await loadStreamStates(client, missing)) states.set(stream, state);
    const places = await findEventPlaces(client, idsToLookUp(states, batch));
    return new WritePlan(states, places, last, Date.now());
  }

  async #failBatch(
    batch: readonly QueuedWrite[],
    connection: WriterConnection,
    error: unknown,
  ): Promise<void> {
    this.#states.clear();
    if (this.#connection !== connection || isConnectionFailure(error)) {
      for (const write of batch) write.refuse(databaseFailure(error));
      if (this.#connection === connection) this.#fence('statement failed', error);
      return;
    }
    this.#options.log('error', 'a batch of appends failed', {
      ...errorDetail(error),
      appends: batch.length,
    });
    // The statement failed as a whole: written one by one, only the guilty command fails.
    if (batch.length > 1) for (const write of batch) await this.#writeBatch([write]);
    else for (const write of batch) write.refuse(databaseFailure(error));
  }

  /** Stops acknowledging at once, and works on becoming the writer again. */
  #fence(reason: string, error?: unknown): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#connection = undefined;
    this.#states.clear();
    this.#options.log('warn', 'the event store stopped writing', {
      reason,
      ...(error ? errorDetail(error) : {}),
    });
    this.#queue.refuseAll(noWriter());
    // The statement under way may still be running there: only a closed connection gives the lock back.
    void connection.close();
    this.#recovering = this.#recover().finally(() => (this.#recovering = undefined));
  }

  async #recover(): Promise<void> {
    for (let wait = RETRY_MS; !this.#stopped; wait = Math.min(wait * 2, LONGEST_RETRY_MS)) {
      try {
        const connection = await this.#open();
        if (this.#stopped) return await connection.close();
        this.#states.clear();
        this.#tail?.reset(connection.lastPosition);
        this.#connection = connection;
        this.#options.log('info', 'the event store writes again');
        return;
      } catch (error) {
        this.#options.log('warn', 'the event store cannot write yet', errorDetail(error));
        this.#onFenced();
        await sleep(wait);
      }
    }
  }
}

/** Ids of the events of commands that may be repeats: all that are not at the end of their stream. */
function idsToLookUp(states: ReadonlyMap<string, StreamState>, batch: readonly QueuedWrite[]): string[] {
  const ids: string[] = [];
  for (const { command } of batch) {
    if (command.kind !== 'append') continue;
    const state = states.get(describedStream(command.stream));
    const last = state ? lastRevision(state, command.stream) : -1n;
    const { expected } = command;
    if (last < 0n || expected === last) continue;
    for (const { id } of command.events) ids.push(id);
  }
  return ids;
}

function settle(write: QueuedWrite, outcome: Written | StoreError | undefined): void {
  if (outcome instanceof StoreError) write.refuse(outcome);
  else if (outcome) write.resolve(outcome);
}

function noWriter(): StoreError {
  return unavailable('The event store cannot write at the moment.');
}
