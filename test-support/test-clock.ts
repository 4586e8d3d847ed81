import { Clock } from '#platform/clock.js';
import { timeOf, type ClockState } from './host/hosted-clock.js';

/** A product that goes by a test's clock. */
type Follower = (state: ClockState) => Promise<void>;

/** A clock that runs with the real one, put forward at will. */
export class TestClock extends Clock {
  private readonly followers: Follower[] = [];

  /** @param state at first the real time */
  constructor(private state: ClockState = { ahead: 0 }) {
    super();
  }

  now(): Date {
    return timeOf(this.state);
  }

  /** Resolves when the products that go by this clock have the new time. */
  async forward(milliseconds: number): Promise<void> {
    this.state =
      'at' in this.state ? { at: this.state.at + milliseconds } : { ahead: this.state.ahead + milliseconds };
    await Promise.all(this.followers.map((follower) => follower(this.state)));
  }

  /** Sends the time now, and each time that it is moved. */
  async lead(follower: Follower): Promise<void> {
    this.followers.push(follower);
    await follower(this.state);
  }
}

/** Stands still, so that it is known to the millisecond when each step of a test was. */
export class StandingClock extends TestClock {
  /** @param at where it stands: a time, or milliseconds since 1970 */
  constructor(at: string | number = Date.now()) {
    super({ at: new Date(at).getTime() });
  }
}
