import { Clock } from '#platform/clock.js';

/** A clock that runs with the real one, put forward at will. */
export class TestClock extends Clock {
  private ahead = 0;

  now(): Date {
    return new Date(Date.now() + this.ahead);
  }

  forward(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}

/** Stands still, so that it is known to the millisecond when each step of a test was. */
export class StandingClock extends Clock {
  /** @param at where it stands: a time, or milliseconds since 1970 */
  constructor(private at: string | number = Date.now()) {
    super();
  }

  now(): Date {
    return new Date(this.at);
  }

  forward(milliseconds: number): void {
    this.at = this.now().getTime() + milliseconds;
  }
}
