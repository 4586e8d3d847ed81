import { Clock } from '#platform/clock.js';

/** What a test's clock shows: a standing instant, or the real time put forward. Milliseconds. */
export type ClockState = { at: number } | { ahead: number };

/** A test's clock as a hosted product reads it. */
export class HostedClock extends Clock {
  constructor(public state: ClockState) {
    super();
  }

  now(): Date {
    return timeOf(this.state);
  }
}

export function timeOf(state: ClockState): Date {
  return new Date('at' in state ? state.at : Date.now() + state.ahead);
}
