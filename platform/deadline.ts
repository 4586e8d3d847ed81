import { callContext, inContext, type Deadline } from './call-context.js';
import { withTimeout } from './with-timeout.js';

/** Milliseconds for what the present call still asks of others; `Infinity` for work that nobody waits for. */
export function millisecondsLeft(): number {
  return callContext()?.deadline?.left() ?? Infinity;
}

/** Does the work, and whatever it starts, under a deadline. */
export function withDeadline<Result>(deadline: Deadline, work: () => Result): Result {
  return inContext({ deadline }, work);
}

/**
 * Does the work under a deadline, and gives up waiting for it.
 * @param message what the error says
 * @throws TimeoutError with this message when the time is over, else what the work throws
 */
export function withDeadlineTimeout<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
  message: string,
): Promise<Result> {
  const until = performance.now() + milliseconds;
  return withTimeout(milliseconds, withDeadline({ left: () => until - performance.now() }, work), message);
}
