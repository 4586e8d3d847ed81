import { feesLayout, HEIGHT, LEFT, RIGHT } from './fees-chart.js';

const months = (count: number, fees: (at: number) => { real: number; simulated: number }) =>
  Array.from({ length: count }, (_, at) => ({
    month: `2026-${String(at + 1).padStart(2, '0')}`,
    ...fees(at),
  }));

describe('the drawing of fees by month', () => {
  it('has two columns a month beside each other, of one scale, within its space', () => {
    for (const count of [1, 12, 120]) {
      const drawn = feesLayout(months(count, (at) => ({ real: 1_000 + at, simulated: 2_000 + 2 * at })));
      expect(drawn.months).toHaveLength(count);
      for (const { x, width, real, simulated } of drawn.months) {
        expect(real.x).toBeGreaterThanOrEqual(x);
        expect(real.x + real.width).toBeLessThanOrEqual(simulated.x + 0.2);
        expect(simulated.x + simulated.width).toBeLessThanOrEqual(x + width + 0.2);
        expect(simulated.height).toBeCloseTo(2 * real.height, -1);
        for (const column of [real, simulated]) {
          expect(column.y).toBeGreaterThanOrEqual(0);
          expect(column.y + column.height).toBeLessThan(HEIGHT);
        }
      }
      expect(drawn.months[0]?.x).toBe(LEFT);
      expect(drawn.named.length).toBeLessThanOrEqual(6);
    }
  });

  it('knows the month under the pointer', () => {
    const { months: drawn, monthAt } = feesLayout(months(12, () => ({ real: 1, simulated: 2 })));
    for (const [at, { x, width }] of drawn.entries()) expect(monthAt(x + width / 2)).toBe(at);
    expect(monthAt(0)).toBe(0);
    expect(monthAt(RIGHT + 10)).toBe(11);
  });

  it('stands where nothing was charged', () => {
    const { months: drawn, ticks } = feesLayout(months(3, () => ({ real: 0, simulated: 0 })));
    expect(drawn.every(({ real, simulated }) => real.height === 0 && simulated.height === 0)).toBe(true);
    expect(ticks.map(({ amount }) => amount)).toEqual([0, 100]);
  });
});
