import { AdaptiveThrottle } from './adaptive-throttle.js';

/** @param busy the share of its time in which the thread has other work @returns milliseconds that letters took */
async function takeTurns(turns: number, due: number, busy: number): Promise<number> {
  const began = 10_000;
  let now = began;
  const pace = new AdaptiveThrottle(
    () => ({ idle: now * (1 - busy), active: now * busy, utilization: busy }),
    () => now,
    async (milliseconds) => (now += milliseconds),
  );
  for (let n = 0; n < turns; n += 1) await pace.turn(due);
  return now - began;
}

describe('letters that give way', () => {
  it('go out evenly while their thread has other work, 45 a second', async () => {
    expect(await takeTurns(91, 91, 0.5)).toBeCloseTo(2_000);
  });

  it('go out faster where there are more than so would be sent in a few minutes', async () => {
    expect(await takeTurns(626, 150_000, 0.5)).toBeCloseTo(1_000);
  });

  it('go out at full speed while their thread has nothing else to do', async () => {
    // A quarter of a second at the slow pace tells that.
    expect(await takeTurns(20_000, 20_000, 0)).toBeLessThan(300);
  });
});
