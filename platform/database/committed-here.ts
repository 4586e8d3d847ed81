import { EventEmitter } from 'node:events';
import type { ReadModelChange } from './notifications.js';

/**
 * What a projection in this process has committed, told at once: whoever waits for it here need not wait until PostgreSQL
 * has notified every process. The notification comes all the same, later.
 */
export class CommittedHere extends EventEmitter<{ readModels: [ReadModelChange] }> {
  /** Calls of this process that will wait, or wait already, for what a projection commits. */
  waiting = 0;

  /** Does what makes somebody wait for a projection, or that waiting itself. */
  async awaiting<Result>(work: () => Promise<Result>): Promise<Result> {
    this.waiting += 1;
    try {
      return await work();
    } finally {
      this.waiting -= 1;
    }
  }
}
