import type { Problem } from '#contracts/problem.js';
import * as m from '#words/messages.js';

/** A call that was refused or did not get through. `status` 0: no answer came. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly statusText: string,
    readonly problem: Problem | null,
    /** What came in place of a problem, where that was a plain text. */
    readonly words = '',
    /** Milliseconds that the answer took to come. */
    readonly took = 0,
  ) {
    super(problem?.detail || statusText || 'No answer');
    this.name = 'RequestError';
  }

  /** Whether the library was away or busy when it was asked: the same call may succeed in a moment. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 503;
  }

  /** The messages of the fields that did not hold, if the refusal names any. */
  get fieldErrors(): Record<string, string[]> | undefined {
    return this.problem?.errors;
  }
}

export const UNREACHABLE = m.error_unreachable();
export const UNEXPECTED = m.error_unexpected_here();

/** A sentence for the person at the screen. */
export function sentenceOf(error: unknown, otherwise: string = UNEXPECTED): string {
  if (!(error instanceof RequestError)) return otherwise;
  if (error.status === 0) return UNREACHABLE;
  return error.problem?.detail || otherwise;
}

/** The same where a screen has no fields: what is said of the first field that did not hold, in place of "some fields". */
export function firstWordsOf(error: unknown, otherwise?: string): string {
  const [messages] = error instanceof RequestError ? Object.values(error.fieldErrors ?? {}) : [];
  return messages?.[0] ?? sentenceOf(error, otherwise);
}

/** The server's own words, or those that a screen has for want of any (specification, section 8, "Screen messages"). */
export function serverTextOr(error: unknown, otherwise: string): string {
  return (error instanceof RequestError && error.problem?.detail) || otherwise;
}
