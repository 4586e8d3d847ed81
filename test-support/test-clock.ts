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
