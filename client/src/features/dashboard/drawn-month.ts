import type { Today } from '#contracts/dashboard/today.js';

export const WIDTH = 480;
export const HEIGHT = 200;
const MARGIN = { left: 36, right: 8, top: 10, bottom: 26 };
/** Lines across the chart, at most, beside that of zero. */
const MOST_TICKS = 4;
/** Days between two dates under the chart. */
const WEEK = 7;

interface DrawnMonth {
  /** As the `d` of a path. */
  rents: string;
  returns: string;
  /** The numbers on the left, from 0. */
  ticks: number[];
  /** The indexes of the days named below, this day's always among them. */
  days: number[];
  x: (index: number) => number;
  y: (count: number) => number;
}

/** Where the lines of a month go, in a space of `WIDTH` by `HEIGHT`. */
export function drawnMonth(month: Today['month']): DrawnMonth {
  const most = Math.max(1, ...month.flatMap(({ rents, returns }) => [rents, returns]));
  const step = niceStep(most / MOST_TICKS);
  const top = Math.ceil(most / step) * step;
  const last = month.length - 1;
  const x = (index: number) =>
    round(MARGIN.left + (WIDTH - MARGIN.left - MARGIN.right) * (last === 0 ? 1 : index / last));
  const y = (count: number) =>
    round(HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * count) / top);
  const path = (counts: number[]) =>
    counts.map((count, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(count)}`).join('');
  return {
    rents: path(month.map(({ rents }) => rents)),
    returns: path(month.map(({ returns }) => returns)),
    ticks: Array.from({ length: top / step + 1 }, (_, at) => at * step),
    days: month.flatMap((_, index) => ((last - index) % WEEK === 0 ? [index] : [])),
    x,
    y,
  };
}

/** The next of 1, 2, 5, 10, 20, 50 and so on. */
function niceStep(least: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= least) ?? 10 * power;
}

const round = (place: number) => Math.round(place * 10) / 10;
