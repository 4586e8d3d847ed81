/**
 * Folds the log under a draft of the rules, in a separate process: the server goes on answering, and what takes too much is
 * killed without harm to it. It has no connection to the database, and appends nothing.
 */
import { DomainError } from '#contracts/domain-error.js';
import { WrongLog } from '#platform/event-log/log-proof.js';
import { eventStoreClient } from '#platform/event-log/open-event-store.js';
import { proveLog } from '#platform/event-log/log-identity.js';
import { DeadlineExceeded } from '#platform/event-log/retry-with-deadline.js';
import { foldLog, LogReadInterrupted, LogUnreadable } from './fold-log.js';
import type { SimulationFailure, SimulationRequest, SimulationMessage } from './simulation-messages.js';

/** Milliseconds between two messages of progress. */
const TELL_EVERY = 200;

const send = (report: SimulationMessage) =>
  new Promise<void>((resolve) => {
    if (!process.connected) return resolve();
    process.send?.(report, () => resolve());
  });

// Without the server, nobody would end this process.
process.once('disconnect', () => process.exit());

process.once('message', (job: SimulationRequest) => {
  void work(job).then(() => process.disconnect());
});

async function work({ eventStoreUrl, log, order }: SimulationRequest): Promise<void> {
  let told = 0;
  const progress = (percent: number) => {
    const now = performance.now();
    if (now - told < TELL_EVERY) return;
    told = now;
    void send({ kind: 'progress', percent });
  };
  try {
    const client = eventStoreClient(eventStoreUrl, (store) => proveLog(store, log));
    try {
      await send({ kind: 'done', result: await foldLog(client, order, progress) });
    } finally {
      await client.dispose();
    }
  } catch (error) {
    const { message, stack } = error as Error;
    await send({ kind: 'failed', failure: failureOf(error), message, stack });
  }
}

function failureOf(error: unknown): SimulationFailure {
  if (error instanceof LogUnreadable) return 'unreadable';
  if (error instanceof LogReadInterrupted || error instanceof DeadlineExceeded || isUnavailable(error))
    return 'log-away';
  // What the client of the store throws has a code or a type of its calls.
  const { code, type } = error as { code?: unknown; type?: unknown };
  return typeof code === 'number' || typeof type === 'string' ? 'log-away' : 'unexpected';
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof WrongLog) return true;
  return error instanceof DomainError && ['EventStoreUnavailable', 'WrongEventLog'].includes(error.code);
}
