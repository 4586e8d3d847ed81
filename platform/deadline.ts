import { AsyncLocalStorage } from 'node:async_hooks';
import { within } from './within.js';

/** When somebody who waits has to have an answer. Whatever asks a database, the event log or a service keeps to it. */
export interface Deadline {
  /** Milliseconds from now; 0 or less when the time is over. */
  left(): number;
}

const current = new AsyncLocalStorage<Deadline>();

/** Milliseconds for what the present call still asks of others; `Infinity` for work that nobody waits for. */
export function millisecondsLeft(): number {
  return current.getStore()?.left() ?? Infinity;
}

/** Does the work, and whatever it starts, under a deadline. */
export function underDeadline<Result>(deadline: Deadline, work: () => Result): Result {
  return current.run(deadline, work);
}

/**
 * Does the work under a deadline, and gives up waiting for it.
 * @param message what the error says
 * @throws OutOfTime with this message when the time is over, else what the work throws
 */
export function answerWithin<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
  message: string,
): Promise<Result> {
  const until = performance.now() + milliseconds;
  return within(milliseconds, underDeadline({ left: () => until - performance.now() }, work), message);
}
