import { callContext, inContext, type Deadline } from './call-context.js';
import { within } from './within.js';

/** Milliseconds for what the present call still asks of others; `Infinity` for work that nobody waits for. */
export function millisecondsLeft(): number {
  return callContext()?.deadline?.left() ?? Infinity;
}

/** Does the work, and whatever it starts, under a deadline. */
export function underDeadline<Result>(deadline: Deadline, work: () => Result): Result {
  return inContext({ deadline }, work);
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
