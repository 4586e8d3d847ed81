import { heightOf, rowsInView, scrollTo, topOf, type RowLayout } from './event-list.js';

const layout: RowLayout = { count: 10_000, rowHeight: 40, open: null, openHeight: 0 };
const opened: RowLayout = { ...layout, open: 100, openHeight: 400 };

describe('the rows in view', () => {
  it('are few, wherever one has scrolled to', () => {
    for (const top of [0, 4_000, 199_999, 399_600]) {
      const [first, end] = rowsInView(layout, top, 400);
      expect(end - first).toBeLessThan(30);
      expect(topOf(layout, first)).toBeLessThanOrEqual(top);
      expect(topOf(layout, end - 1) + 40).toBeGreaterThanOrEqual(Math.min(top + 400, heightOf(layout)));
    }
  });

  it('make room for the details of an open row', () => {
    expect(heightOf(opened) - heightOf(layout)).toBe(400);
    expect([topOf(opened, 100), topOf(opened, 101)]).toEqual([4000, 4440]);
    // Within the details it is still the open row that one looks at.
    const [first, end] = rowsInView(opened, 4200, 40);
    expect(first).toBeLessThanOrEqual(100);
    expect(end).toBeGreaterThan(100);
    const [after] = rowsInView(opened, 40_000, 400);
    expect(topOf(opened, after)).toBeLessThanOrEqual(40_000);
  });

  it('stay where they are when the row is in view, and have it in the middle when it is far', () => {
    expect(scrollTo(layout, 5, 100, 400)).toBe(100);
    expect(scrollTo(layout, 10, 0, 400)).toBe(80);
    expect(scrollTo(layout, 5000, 0, 400)).toBe(200_000 - 180);
  });
});
