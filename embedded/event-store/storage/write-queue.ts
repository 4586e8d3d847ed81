import { setImmediate as nextTurn } from 'node:timers/promises';
import { timedOut, type StoreError } from './store-error.js';
import type { WriteCommand, Written } from './write-plan.js';

const MAX_COMMANDS = 1024;
const MAX_BYTES = 8 * 1024 * 1024;
// With more than this waiting, calls are not read any further until the writer has caught up.
const FULL_BYTES = 32 * 1024 * 1024;
const DEADLINE_SWEEP_MS = 100;
const COMMAND_OVERHEAD_BYTES = 500;
const LONGEST_GATHERING_MS = 1;

/** When a command is no longer wanted. */
export interface WriteRequest {
  /** Milliseconds since 1970, `Infinity` for none. */
  deadline: number;
  /** Asked before the command is written. */
  isCancelled?: () => boolean;
}

/** A command on its way, answered exactly once. */
export interface QueuedWrite {
  readonly command: WriteCommand;
  resolve(written: Written): void;
  refuse(error: StoreError): void;
}

interface Entry extends QueuedWrite {
  request: WriteRequest;
  bytes: number;
}

/** Commands that wait for the writer, and those it is writing, until each is answered or its time is up. */
export class WriteQueue {
  readonly #unanswered = new Set<Entry>();
  #waiting: Entry[] = [];
  #bytes = 0;
  #roomWanted: (() => void)[] = [];
  #sweep: NodeJS.Timeout | undefined;
  #arrived: (() => void) | undefined;

  add(command: WriteCommand, request: WriteRequest): Promise<Written> {
    return new Promise((resolve, reject) => {
      const answered = () => this.#unanswered.delete(entry);
      const entry: Entry = {
        command,
        request,
        bytes: sizeOf(command),
        resolve: (written) => answered() && resolve(written),
        refuse: (error) => answered() && reject(error),
      };
      this.#unanswered.add(entry);
      this.#waiting.push(entry);
      this.#bytes += entry.bytes;
      this.#arrived?.();
      this.#sweep ??= setInterval(() => this.#refuseLate(), DEADLINE_SWEEP_MS).unref();
    });
  }

  /** How many commands wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Resolves when so many commands wait, or after a moment. */
  async gathered(count: number): Promise<void> {
    if (this.#waiting.length < count) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LONGEST_GATHERING_MS);
        this.#arrived = () => {
          if (this.#waiting.length < count) return;
          clearTimeout(timer);
          resolve();
        };
      });
      this.#arrived = undefined;
    }
    // Commands that came with one network read arrive within one turn of the event loop: let them all join.
    await nextTurn();
  }

  /** The next batch: all that wait, up to a bound, without those that nobody waits for any more. */
  take(): QueuedWrite[] {
    const batch: QueuedWrite[] = [];
    let bytes = 0;
    let taken = 0;
    for (const entry of this.#waiting) {
      if (batch.length >= MAX_COMMANDS || (bytes > 0 && bytes + entry.bytes > MAX_BYTES)) break;
      taken += 1;
      this.#bytes -= entry.bytes;
      if (!this.#unanswered.has(entry)) continue;
      if (entry.request.deadline <= Date.now() || entry.request.isCancelled?.()) {
        entry.refuse(timedOut());
        continue;
      }
      bytes += entry.bytes;
      batch.push(entry);
    }
    this.#waiting = this.#waiting.slice(taken);
    if (this.#bytes < FULL_BYTES) this.#giveRoom();
    return batch;
  }

  /** Refuses what waits, and what is being written. */
  refuseAll(error: StoreError): void {
    for (const entry of [...this.#unanswered]) entry.refuse(error);
    this.#waiting = [];
    this.#bytes = 0;
    this.#giveRoom();
  }

  /** Where more waits than the bound: resolves when it no longer does. */
  roomIfFull(): Promise<void> | undefined {
    if (this.#bytes < FULL_BYTES) return undefined;
    return new Promise((resolve) => this.#roomWanted.push(resolve));
  }

  stop(): void {
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }

  #giveRoom(): void {
    const wanted = this.#roomWanted;
    this.#roomWanted = [];
    for (const resolve of wanted) resolve();
  }

  #refuseLate(): void {
    const now = Date.now();
    for (const entry of [...this.#unanswered]) if (entry.request.deadline <= now) entry.refuse(timedOut());
    if (this.#unanswered.size === 0) this.stop();
  }
}

function sizeOf(command: WriteCommand): number {
  if (command.kind !== 'append') return COMMAND_OVERHEAD_BYTES;
  return command.events.reduce(
    (bytes, { data, metadata }) => bytes + data.length + metadata.length + COMMAND_OVERHEAD_BYTES,
    0,
  );
}
