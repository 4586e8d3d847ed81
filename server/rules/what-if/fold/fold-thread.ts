import { Worker } from 'node:worker_threads';
import {
  END_OF_LOG,
  type FoldRequest,
  type FoldOutcome,
  type FoldChunk,
  type FoldMessage,
} from './fold-messages.js';

/** Pieces that were given and are not folded yet, at most: a piece has up to a megabyte, or a single event that is larger. */
const MAX_PIECES_AHEAD = 16;

/** The thread that folds, as whoever reads the log has it. It ends with its outcome, or when it is terminated. */
export class FoldThread {
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
