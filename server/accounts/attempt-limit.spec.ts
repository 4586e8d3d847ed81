import { TestClock } from '../../test-support/test-clock.js';
import { TooManyAttempts } from '../http/too-many-attempts.js';
import { AttemptLimit } from './attempt-limit.js';

describe('the limit of attempts', () => {
  const clock = new TestClock();
  const limit = new AttemptLimit({ attempts: 3, windowMs: 60_000 }, clock);

  it('slides: an attempt is possible again when the oldest one has left the window', () => {
    limit.take('a');
    clock.forward(30_000);
    limit.take('a');
    limit.take('a');
    let refusal: unknown;
    try {
      limit.take('a');
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(TooManyAttempts);
    expect(refusal).toMatchObject({ code: 'TooManyAttempts', retryAfterSeconds: 30 });
    clock.forward(30_001);
    limit.take('a');
    expect(() => limit.take('a')).toThrow(TooManyAttempts);
  });

  it('counts every key by itself, and forgets one', () => {
    for (let time = 0; time < 3; time += 1) limit.take('b');
    expect(() => limit.take('b')).toThrow(TooManyAttempts);
    limit.take('c');
    limit.forget('b');
    limit.take('b');
  });
});
