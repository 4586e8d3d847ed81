import { addDays, localSecond, startOfDay } from '#contracts/local-day.js';

/** Seconds of a quarter of an hour: clocks stand whole quarters from UTC, and are changed on one. */
export const QUARTER_HOUR = 900;

/** How far the library's clock is ahead of UTC, for some time. */
export interface UtcOffset {
  /** Quarters of an hour since 1970. */
  began: number;
  /** The first quarter after it. */
  ended: number;
  /** Quarters, negative west of Greenwich. */
  ahead: number;
}

/**
 * How the clock of a zone stood in a span of days: mostly a few entries, one for each summer and winter.
 * @param until the first day after it
 */
export function utcOffsets(from: string, until: string, timeZone: string): UtcOffset[] {
  const shifts: UtcOffset[] = [];
  const aheadAt = (quarter: number) => {
    const instant = quarter * QUARTER_HOUR * 1_000;
    return Math.round(
      (Date.parse(`${localSecond(instant, timeZone).replace(' ', 'T')}Z`) - instant) / 900_000,
    );
  };
  const add = (began: number, ended: number) => {
    // A zone may leave a day out.
    if (began >= ended) return;
    const ahead = aheadAt(began);
    if (ahead !== aheadAt(ended - 1) && ended - began > 1) {
      const middle = Math.floor((began + ended) / 2);
      add(began, middle);
      add(middle, ended);
      return;
    }
    const last = shifts.at(-1);
    if (last?.ahead === ahead) last.ended = ended;
    else shifts.push({ began, ended, ahead });
  };
  // No zone changes its clock twice in a week, and to look at each day of ten years takes a tenth of a second.
  let next: string;
  for (let day = from; day < until; day = next) {
    const week = addDays(day, 7);
    next = week < until ? week : until;
    add(quarterOf(startOfDay(day, timeZone)), quarterOf(startOfDay(next, timeZone)));
  }
  return shifts;
}

const quarterOf = (instant: number) => Math.floor(instant / 1_000 / QUARTER_HOUR);

/** The quarters of an hour at which the clock showed this hour. */
export function quartersOfHour(hour: number, shifts: readonly UtcOffset[]): number[] {
  const found: number[] = [];
  for (const { began, ended, ahead } of shifts)
    for (let quarter = began; quarter < ended; quarter += 1)
      if (hourOf(quarter, ahead) === hour) found.push(quarter);
  return found;
}

/** The hour that the clock shows. */
export function hourOf(quarter: number, ahead: number): number {
  return Math.floor((quarter + ahead) / 4) % 24;
}
