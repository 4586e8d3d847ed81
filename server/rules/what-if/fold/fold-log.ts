import { CATEGORIES, type CategoryName } from '#contracts/event-log/categories.js';
import { LIBRARY } from '#contracts/rules/rule-events.js';
import { isRuleEvent } from '#circulation/rules/rule-book.js';
import type { SimulationInput, SimulationResult } from '#circulation/simulation/simulation.js';
import { readEncoded } from '#platform/event-log/encoded-events.js';
import { EventLog } from '#platform/event-log/event-log.js';
import type { ResilientEventStoreClient } from '#platform/event-log/resilient-event-store-client.js';
import { Worker } from 'node:worker_threads';
import {
  END_OF_LOG,
  type FoldRequest,
  type FoldOutcome,
  type FoldChunk,
  type FoldMessage,
} from './simulation-messages.js';

/** An event can be neither read nor applied, and no operator has skipped it. */
export class LogUnreadable extends Error {}

/** The log ended its answer before its end. */
export class LogReadInterrupted extends Error {}

/** All of them, so that the last event of the log is among what is read. */
const ALL = Object.keys(CATEGORIES) as CategoryName[];

/**
 * Reads the log from its beginning to what is its end now, and folds it under other rules in a thread of its own. Only reads.
 * @param progress called with the percentage of the log, each time that events were folded
 * @throws LogUnreadable, LogReadInterrupted; the log's error when it is unavailable
 */
export async function foldLog(
  client: ResilientEventStoreClient,
  order: SimulationInput,
  progress: (percent: number) => void,
): Promise<SimulationResult> {
  const log = new EventLog(client);
  const stored = await log.readStream('rules', LIBRARY);
  const rules = stored.map(({ event }) => event).filter(isRuleEvent);
  const end = (await log.last())?.commit ?? 0n;
  let setAside: readonly string[] = [];
  for (;;) {
    const reached = (commit: bigint) =>
      progress(end === 0n ? 100 : Math.min(100, Number((commit * 100n) / end)));
    const thread = new FoldThread({ order, rules, setAside, end }, reached);
    try {
      for await (const piece of readEncoded(client, ALL)) await thread.add(piece);
      const outcome = await thread.finish();
      if (outcome.kind === 'folded') return outcome.result;
      if (outcome.kind === 'broke-off')
        throw new LogReadInterrupted('the event log ended its answer before its end');
      if (outcome.kind === 'unreadable') throw new LogUnreadable(outcome.message);
      // An operator decided later on to leave out what was folded: that is rare, and the log is read again without it.
      setAside = [...setAside, ...outcome.events];
    } finally {
      await thread.terminate();
    }
  }
}

/** Pieces that were given and are not folded yet, at most: a piece has up to a megabyte, or a single event that is larger. */
const MAX_PIECES_AHEAD = 16;

/** The thread that folds, as whoever reads the log has it. It ends with its outcome, or when it is terminated. */
class FoldThread {
  private readonly worker: Worker;
  private ahead = 0;
  private outcome: FoldOutcome | undefined;
  private failure: Error | undefined;
  private hasEnded = false;
  private wake: () => void = () => undefined;

  /** @param reached called with the place in the log up to which it has come, after each piece */
  constructor(order: FoldRequest, reached: (commit: bigint) => void) {
    this.worker = new Worker(new URL('./fold-worker.js', import.meta.url), {
      workerData: order,
      // Flags of this process speak of its own heap, and hold for all of its threads.
      execArgv: [],
    });
    this.worker.on('message', (report: FoldMessage) => {
      if (report.kind === 'piece-done') {
        this.ahead -= 1;
        reached(report.reached);
      } else this.outcome = report;
      this.wake();
    });
    this.worker.once('error', (error) => (this.failure = error));
    this.worker.once('exit', () => {
      this.hasEnded = true;
      this.wake();
    });
  }

  /**
   * Takes the next events of the log; waits while it has many to fold.
   * @throws what the thread ended with
   */
  async add(piece: FoldChunk): Promise<void> {
    await this.until(() => this.ahead < MAX_PIECES_AHEAD);
    this.ahead += 1;
    this.worker.postMessage(piece, [piece.buffer]);
  }

  /**
   * What all that it was given comes to.
   * @throws what the thread ended with
   */
  async finish(): Promise<FoldOutcome> {
    this.worker.postMessage(END_OF_LOG);
    await this.until(() => this.outcome !== undefined);
    if (!this.outcome) throw new Error('the thread that folds told of no outcome');
    return this.outcome;
  }

  async terminate(): Promise<void> {
    await this.worker.terminate();
  }

  private async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.hasEnded) throw this.failure ?? new Error('the thread that folds has ended');
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}
