import { monthLayout, HEIGHT, WIDTH } from './month-chart.js';

const month = (...counts: [rents: number, returns: number][]) =>
  counts.map(([rents, returns], at) => ({
    day: `2026-11-${String(at + 1).padStart(2, '0')}`,
    rents,
    returns,
  }));

describe('the lines of a month', () => {
  it('have round numbers beside them, of which the largest is above every point', () => {
    for (const [most, ticks] of [
      [0, [0, 1]],
      [3, [0, 1, 2, 3]],
      [4, [0, 1, 2, 3, 4]],
      [9, [0, 5, 10]],
      [38, [0, 10, 20, 30, 40]],
      [1234, [0, 500, 1000, 1500]],
    ] as const) {
      expect([most, monthLayout(month([0, 0], [most, 0])).ticks]).toEqual([most, ticks]);
    }
  });

  it('stay within the drawing, the oldest day on the left and nothing at the bottom', () => {
    const { x, y, rents, returns } = monthLayout(month([5, 0], [2, 7], [0, 1]));
    expect(x(0)).toBeLessThan(x(2));
    expect(x(2)).toBeLessThanOrEqual(WIDTH);
    expect(y(0)).toBeLessThan(HEIGHT);
    expect(y(8)).toBeGreaterThanOrEqual(0);
    expect(rents).toBe(`M${x(0)} ${y(5)}L${x(1)} ${y(2)}L${x(2)} ${y(0)}`);
    expect(returns).toBe(`M${x(0)} ${y(0)}L${x(1)} ${y(7)}L${x(2)} ${y(1)}`);
  });

  it('are dated weekly, back from this day', () => {
    expect(monthLayout(month(...Array.from({ length: 30 }, () => [1, 1] as [number, number]))).days).toEqual([
      1, 8, 15, 22, 29,
    ]);
  });
});
