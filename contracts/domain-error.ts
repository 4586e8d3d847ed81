import type { ProblemCode } from './problem.js';

/** A refusal by a rule of the library. It is independent of HTTP: one filter maps the code to a status and a body. */
export class DomainError extends Error {
  /**
   * @param code which rule refused
   * @param detail a sentence for the person at the screen: what happened and what to do
   */
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'DomainError';
  }
}
