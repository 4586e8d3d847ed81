import type { Activity, HoldActivity, Insight } from '#contracts/insight/insight.js';

export const PART_NAMES: Record<Insight, string> = {
  titles: 'Titles',
  genres: 'Genres',
  idle: 'Not borrowed',
  wanted: 'Waited for',
  hours: 'Hours of the day',
};

/** What each part is, over its figures. */
export const PART_LEADS: Record<Insight, string> = {
  titles: 'How often each title was lent, in all and per copy.',
  genres:
    'Loans by today’s genres. A book with several genres counts in each, so the rows add up to more than all loans.',
  idle: 'Books that were in the catalogue before the first day and were not on loan on any of these days.',
  wanted:
    'Titles with a queue now, and what became of reservations in these days. The wait of the last reader is estimated as readers see it: every loan runs its full length, and overdue books are not counted. “To buy” is the smallest number of copies that brings the wait down to your limit.',
  hours: 'Books rented, issued and returned in each hour, in the library’s time zone.',
};

export const PART_EMPTY_TEXTS: Record<Insight, string> = {
  titles: 'Nothing was lent in these days',
  genres: 'Nothing was lent in these days',
  idle: 'No such book',
  wanted: 'Nobody is waiting for anything',
  hours: 'Nothing happened in these days',
};

/** What leads on from there. */
export const PART_ADVICE: Record<Insight, string> = {
  titles: 'Choose other days above.',
  genres: 'Choose other days above.',
  idle: 'Every book was on loan at some point, or is newer than the first day. Choose fewer days.',
  wanted: 'A title is listed here as soon as a reader reserves it while no copy is free.',
  hours: 'Choose other days above.',
};

export const ACTIVITY_TONES: Record<Activity | HoldActivity, string> = {
  Rented: 'rented',
  Issued: 'issued',
  Returned: 'returned',
  Waiting: 'rented',
  Reserved: 'rented',
  Cancelled: 'expired',
  NotCollected: 'expired',
  NotNeeded: 'returned',
};

export const HAPPENING_LABELS: Record<Activity | HoldActivity, string> = {
  Rented: 'Rented',
  Issued: 'Issued',
  Returned: 'Returned',
  Waiting: 'Waits now',
  Reserved: 'Reserved',
  Cancelled: 'Cancelled',
  NotCollected: 'Not collected',
  NotNeeded: 'No longer needed',
};

/** `14:00–15:00` */
export function hourName(hour: number): string {
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`;
  return `${clock(hour)}–${clock((hour + 1) % 24)}`;
}

/** Loans for one copy; nothing where there is none. */
export function perCopy(loans: number, copies: number | null): string {
  return copies ? (loans / copies).toFixed(2) : '–';
}
