import { DomainError } from '#contracts/domain-error.js';

/** Too many tries from one place; the answer says when the next one is possible. */
export class TooManyAttempts extends DomainError {
  constructor(readonly retryAfterSeconds: number) {
    const minutes = Math.ceil(retryAfterSeconds / 60);
    super(
      'TooManyAttempts',
      `Too many attempts. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}
