import type { ShelfHold } from '#contracts/holds/hold-views.js';
import { isoDay } from '../../lib/dates.js';

const { compare } = new Intl.Collator('pl');

/** What waits on the shelf by its last day, the nearest first; of a day as it stands on the shelf: by the readers' names. */
export function byDay(holds: readonly ShelfHold[]): { day: string; holds: ShelfHold[] }[] {
  const days = new Map<string, ShelfHold[]>();
  for (const hold of holds) {
    const day = isoDay(hold.collectBy);
    days.set(day, [...(days.get(day) ?? []), hold]);
  }
  return [...days]
    .sort(([one], [other]) => compare(one, other))
    .map(([day, ofDay]) => ({
      day,
      holds: ofDay.sort(
        (one, other) => compare(one.user.fullname, other.user.fullname) || compare(one.title, other.title),
      ),
    }));
}
