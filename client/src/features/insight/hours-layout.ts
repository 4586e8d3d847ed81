import { ACTIVITIES, type Activity, type HoursInsight } from '#contracts/insight/insight.js';
import { roundPlace } from '../../lib/chart-scale.js';

export const WIDTH = 720;
const LEFT = 48;
const RIGHT = 8;
const TOP = 22;
const ROW = 84;
const GAP = 30;
const BOTTOM = 24;
export const HEIGHT = TOP + ACTIVITIES.length * (ROW + GAP) - GAP + BOTTOM;
/** What is left free between two columns. */
const BETWEEN = 4;

const STEP = (WIDTH - LEFT - RIGHT) / 24;

export interface HoursRow {
  what: Activity;
  /** Where its name stands, and its line of zero. */
  top: number;
  base: number;
  most: number;
  columns: { hour: number; x: number; y: number; width: number; height: number }[];
}

/** Where the columns of 24 hours go, a row for each thing that happens, all of one scale. */
export function hoursLayout(items: HoursInsight['items']): HoursRow[] {
  const most = Math.max(1, ...items.flatMap((item) => ACTIVITIES.map((what) => item[what])));
  return ACTIVITIES.map((what, row) => {
    const top = TOP + row * (ROW + GAP);
    const base = top + ROW;
    return {
      what,
      top,
      base,
      most,
      columns: items.map((item) => {
        const height = roundPlace((ROW * item[what]) / most);
        return {
          hour: item.hour,
          x: roundPlace(xOf(item.hour) + BETWEEN / 2),
          y: roundPlace(base - height),
          width: roundPlace(STEP - BETWEEN),
          height,
        };
      }),
    };
  });
}

/** Where an hour begins. */
export const xOf = (hour: number) => LEFT + STEP * hour;

/** The hour at a place of the drawing, the first or the last one beside it. */
export function hourAt(x: number): number {
  return Math.max(0, Math.min(23, Math.floor((x - LEFT) / STEP)));
}
