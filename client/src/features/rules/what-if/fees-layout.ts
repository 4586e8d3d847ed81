import type { SimulationAnswer } from '#contracts/rules/what-if.js';
import { roundPlace, ticksUpTo } from '../../../lib/chart-scale.js';

export const WIDTH = 720;
export const HEIGHT = 280;
const MARGIN = { left: 64, right: 4, top: 12, bottom: 28 };
/** More of them would run into each other, on a phone and on paper above all. */
const MAX_NAMES = 6;

/** Late fees of a month, in grosze. */
export type MonthFees = Pick<SimulationAnswer['months'][number], 'month' | 'real' | 'simulated'>;

interface Column {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface FeesLayout {
  /** The amounts on the left, in grosze, from 0. */
  ticks: { amount: number; y: number }[];
  months: { month: string; x: number; width: number; real: Column; simulated: Column }[];
  /** Indexes of the months that are named below. */
  named: number[];
  monthAt: (x: number) => number;
}

/** Where the columns of months go, two for each: as it was, and as it would have been. */
export function feesLayout(months: readonly MonthFees[]): FeesLayout {
  const most = Math.max(0, ...months.flatMap(({ real, simulated }) => [real, simulated]));
  const ticks = ticksUpTo(most / 100).map((pln) => pln * 100);
  const top = ticks.at(-1) ?? 1;
  const base = HEIGHT - MARGIN.bottom;
  const y = (amount: number) => roundPlace(base - ((base - MARGIN.top) * amount) / top);
  const step = (WIDTH - MARGIN.left - MARGIN.right) / Math.max(1, months.length);
  // Half of what is left free stands on either side, and a little between the two.
  const width = roundPlace(Math.min(36, step * 0.36));
  const every = Math.ceil(months.length / MAX_NAMES);
  return {
    ticks: ticks.map((amount) => ({ amount, y: y(amount) })),
    months: months.map(({ month, real, simulated }, index) => {
      const x = MARGIN.left + step * index;
      const middle = x + step / 2;
      const column = (amount: number, left: number) => ({
        x: roundPlace(left),
        y: y(amount),
        width,
        height: roundPlace(base - y(amount)),
      });
      return {
        ...{ month, x: roundPlace(x), width: roundPlace(step) },
        real: column(real, middle - width - step * 0.01),
        simulated: column(simulated, middle + step * 0.01),
      };
    }),
    named: months.flatMap((_, index) => (index % every === 0 ? [index] : [])),
    monthAt: (x) => Math.max(0, Math.min(months.length - 1, Math.floor((x - MARGIN.left) / step))),
  };
}

export const LEFT = MARGIN.left;
export const RIGHT = WIDTH - MARGIN.right;
