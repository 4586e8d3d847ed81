import { DomainError } from '#contracts/domain-error.js';
import * as m from '#words/messages.js';

/** The rate limit is used up; the response says when the next attempt is possible. */
export class TooManyAttempts extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    super('TooManyAttempts', m.error_too_many_attempts({ count: Math.ceil(retryAfterSeconds / 60) }));
  }
}
