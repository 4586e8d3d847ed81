import { EventEmitter } from 'node:events';
import type { ReadModelChange } from './notifications.js';

/**
 * What a projection in this process has committed, told at once: whoever waits for it here need not wait until PostgreSQL
 * has notified every process. The notification comes all the same, later.
 */
export class CommittedHere extends EventEmitter<{ readModels: [ReadModelChange] }> {}
