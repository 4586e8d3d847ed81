import { AdaptiveThrottle } from './adaptive-throttle.js';

/** Keeps the thread busy, as calls do. @returns ends it */
function keepBusy(): () => void {
  let isOver = false;
  const work = () => {
    const until = performance.now() + 3;
    while (performance.now() < until);
    if (!isOver) setImmediate(work);
  };
  work();
  return () => (isOver = true);
}

async function takeTurns(pace: AdaptiveThrottle, turns: number, due: number): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < turns; n += 1) await pace.turn(due);
  return performance.now() - began;
}

describe('letters that give way', () => {
  it('go out evenly while their thread has other work', async () => {
    const end = keepBusy();
    // Forty-five a second; a quarter of a second in, and in, it looks whether that is still needed. Timers know whole
    // milliseconds, and at full speed it would be a few of these.
    expect(await takeTurns(new AdaptiveThrottle(), 40, 40)).toBeGreaterThan((39 / 46) * 1000);
    end();
  });

  it('go out faster where there are more than so would be sent in a few minutes', async () => {
    const end = keepBusy();
    const [few, many] = [
      await takeTurns(new AdaptiveThrottle(), 40, 40),
      await takeTurns(new AdaptiveThrottle(), 40, 150_000),
    ];
    expect(many).toBeLessThan(few);
    end();
  });

  it('go out at full speed while their thread has nothing else to do', async () => {
    // Other processes may keep this one waiting, which its own measure takes for work.
    const idle = () => ({ idle: performance.now(), active: 0, utilization: 0 });
    // At the slow pace it would take four minutes, which no test has.
    await takeTurns(new AdaptiveThrottle(idle), 20_000, 20_000);
  });
});
