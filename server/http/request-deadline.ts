import type { RequestHandler, Response } from 'express';
import { type Deadline, withDeadline } from '#platform/deadline.js';
import type { Logger } from '#platform/logging.js';
import { correlationId } from './correlation.js';
import { answerTookTooLong, sendProblem } from './problem.js';

/** Milliseconds within which every call is answered, whatever hangs. */
export const RESPONSE_TIMEOUT = 8_000;
/** The part of it that the database, the event log and other services have: what is left is for the answer itself. */
const FOR_PARTS = 0.85;

/** When a call has to be answered. Once the answer is on its way, each further part of it has as long again. */
class CallDeadline implements Deadline {
  private readonly until: number;
  private mayTakeLong = false;
  private isOver = false;

  constructor(
    private readonly response: Response,
    private readonly milliseconds: number,
  ) {
    this.until = performance.now() + milliseconds;
  }

  left(): number {
    if (this.isOver) return 0;
    if (this.mayTakeLong) return Infinity;
    return this.response.headersSent ? this.milliseconds : this.until - performance.now();
  }

  lift(): void {
    this.mayTakeLong = true;
  }

  /** @returns whether the call is answered in its handler's place */
  expire(): boolean {
    this.isOver = !this.mayTakeLong && !this.response.headersSent;
    return this.isOver;
  }

  get wasMissed(): boolean {
    return this.isOver;
  }
}

const deadlines = new WeakMap<Response, CallDeadline>();

/**
 * Answers every call in time. What it asks of others is given up a little earlier, with an answer that names what did not
 * answer; whatever else hangs, the call is answered in its handler's place.
 * @param milliseconds from the arrival of the call to its answer
 */
export function enforceDeadline(milliseconds: number, logger: Logger): RequestHandler {
  return (request, response, next) => {
    const deadline = new CallDeadline(response, milliseconds * FOR_PARTS);
    deadlines.set(response, deadline);
    const timer = setTimeout(() => {
      if (!deadline.expire()) return;
      const id = correlationId();
      logger.warn({ correlationId: id, method: request.method }, 'a call was not answered in time');
      sendProblem(response, answerTookTooLong(request.method, id));
    }, milliseconds);
    response.once('close', () => clearTimeout(timer));
    withDeadline(deadline, next);
  };
}

/** Whether the call was answered in its handler's place: what the handler says then reaches nobody. */
export function hasMissedDeadline(response: Response): boolean {
  return deadlines.get(response)?.wasMissed === true;
}

/** Of a handler that may take long. */
export function liftDeadline(response: Response): void {
  deadlines.get(response)?.lift();
}
