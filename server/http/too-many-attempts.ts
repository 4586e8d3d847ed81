import { DomainError } from '#contracts/domain-error.js';

/** The rate limit is used up; the response says when the next attempt is possible. */
export class TooManyAttempts extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    super(
      'TooManyAttempts',
      `Too many attempts. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}
