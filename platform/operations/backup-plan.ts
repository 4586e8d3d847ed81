import { addDays, localDay, localMinute, startOfDay } from '#contracts/local-day.js';
import type { Settings } from '../settings.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type PlanSettings = Pick<Settings, 'BACKUP_FOLDER' | 'BACKUP_AT' | 'BACKUP_EVERY'>;

/**
 * When the next backup of the schedule is due: at a time of day, or so long after the last one was begun. A day on which
 * the library was off is made up for at its start.
 * @param last when the last one was begun; nothing if there was none yet
 * @param since when the schedule began, for a first one
 * @param timeZone the library's
 * @returns nothing where no schedule is set
 */
export function nextBackup(
  { BACKUP_FOLDER, BACKUP_AT, BACKUP_EVERY }: PlanSettings,
  last: Date | undefined,
  since: Date,
  timeZone: string,
): Date | undefined {
  if (BACKUP_FOLDER === undefined) return undefined;
  if (BACKUP_EVERY !== undefined) return last ? new Date(last.getTime() + BACKUP_EVERY) : since;
  const from = (last ?? since).getTime();
  const today = localDay(from, timeZone);
  const [first, second] = [
    timeOn(today, BACKUP_AT, timeZone),
    timeOn(addDays(today, 1), BACKUP_AT, timeZone),
  ];
  return new Date(first > from ? first : second);
}

/** When clocks show the time on that day; where they leave it out or show it twice, an instant near it. */
function timeOn(day: string, time: string, timeZone: string): number {
  const minutes = minutesOf(time);
  const guess = startOfDay(day, timeZone) + minutes * MINUTE;
  const shown = minutesOf(localMinute(guess, timeZone).slice(-5));
  return guess + (minutes - shown) * MINUTE;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Milliseconds after its time from which a backup that was not begun is late. */
export function lateAfter({ BACKUP_EVERY }: Pick<PlanSettings, 'BACKUP_EVERY'>): number {
  return Math.max(HOUR, (BACKUP_EVERY ?? 24 * HOUR) / 4);
}
