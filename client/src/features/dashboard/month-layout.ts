import type { Today } from '#contracts/dashboard/today.js';
import { roundPlace, ticksUpTo } from '../../lib/chart-scale.js';

export const WIDTH = 480;
export const HEIGHT = 200;
const MARGIN = { left: 36, right: 8, top: 10, bottom: 26 };
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
export function monthLayout(month: Today['month']): DrawnMonth {
  const most = Math.max(1, ...month.flatMap(({ rents, returns }) => [rents, returns]));
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1) ?? 1;
  const last = month.length - 1;
  const x = (index: number) =>
    roundPlace(MARGIN.left + (WIDTH - MARGIN.left - MARGIN.right) * (last === 0 ? 1 : index / last));
  const y = (count: number) =>
    roundPlace(HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * count) / top);
  const path = (counts: number[]) =>
    counts.map((count, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(count)}`).join('');
  return {
    rents: path(month.map(({ rents }) => rents)),
    returns: path(month.map(({ returns }) => returns)),
    ticks,
    days: month.flatMap((_, index) => ((last - index) % WEEK === 0 ? [index] : [])),
    x,
    y,
  };
}
