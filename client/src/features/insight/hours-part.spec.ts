import { hoursLayout, HEIGHT, hourAt, WIDTH, xOf } from './hours-part.js';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  hour,
  Rented: hour,
  Issued: 2 * hour,
  Returned: 0,
}));

describe('the drawing of the hours', () => {
  it('has a row for each thing that happens, of one scale, within its space', () => {
    const rows = hoursLayout(HOURS);
    expect(rows.map(({ what }) => what)).toEqual(['Rented', 'Issued', 'Returned']);
    const [rented, issued, returned] = rows;
    expect(issued?.columns[10]?.height).toBeCloseTo(2 * (rented?.columns[10]?.height ?? 0), 0);
    expect(returned?.columns.every(({ height }) => height === 0)).toBe(true);
    for (const { top, base, columns } of rows)
      for (const { x, y, width, height } of columns) {
        expect(x + width).toBeLessThanOrEqual(WIDTH);
        expect(y).toBeGreaterThanOrEqual(top - 0.1);
        expect(y + height).toBeCloseTo(base, 0);
        expect(base).toBeLessThan(HEIGHT);
      }
  });

  it('knows the hour under the pointer', () => {
    for (const hour of [0, 7, 23]) expect(hourAt(xOf(hour) + 1)).toBe(hour);
    expect(hourAt(0)).toBe(0);
    expect(hourAt(WIDTH)).toBe(23);
  });

  it('stands where nothing happened', () => {
    const rows = hoursLayout(HOURS.map(({ hour }) => ({ hour, Rented: 0, Issued: 0, Returned: 0 })));
    expect(rows.every(({ columns }) => columns.every(({ height }) => height === 0))).toBe(true);
  });
});
