import type { Settings } from '../settings.js';

const HOUR = 3_600_000;

type PlanSettings = Pick<Settings, 'BACKUP_FOLDER' | 'BACKUP_AT' | 'BACKUP_EVERY'>;

/**
 * When the next backup of the schedule is due: at a time of day, or so long after the last one was begun.
 * @param last when that was; nothing if there was none yet
 * @param since when the schedule began, for a first one
 * @returns nothing where no schedule is set
 */
export function nextBackup(
  { BACKUP_FOLDER, BACKUP_AT, BACKUP_EVERY }: PlanSettings,
  last: Date | undefined,
  since: Date,
): Date | undefined {
  if (BACKUP_FOLDER === undefined) return undefined;
  if (BACKUP_EVERY !== undefined) return last ? new Date(last.getTime() + BACKUP_EVERY) : since;
  const [hours = 0, minutes = 0] = BACKUP_AT.split(':').map(Number);
  // The first such time after the last one; a day that the library was off is made up for at its start.
  const next = new Date(last ?? since);
  next.setHours(hours, minutes, 0, 0);
  if (next.getTime() <= (last ?? since).getTime()) {
    next.setDate(next.getDate() + 1);
    next.setHours(hours, minutes, 0, 0);
  }
  return next;
}

/** Milliseconds after its time from which a backup that was not begun is late. */
export function lateAfter({ BACKUP_EVERY }: PlanSettings): number {
  return Math.max(HOUR, (BACKUP_EVERY ?? 24 * HOUR) / 4);
}
