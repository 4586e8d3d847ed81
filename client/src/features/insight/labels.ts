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
  titles: 'How often each title was handed over to a reader, and how often that is for one copy.',
  genres:
    'The same by the genres that books have today. A book of several genres counts in each of them, so the lines come to more than all loans.',
  idle: 'Books with copies that were in the catalogue before the first day, and that no reader had on any of the days.',
  wanted:
    'Titles that readers wait for now, with what became of reservations in these days. How long the last one waits is told as readers are told it: what is lent comes back on its last day, everybody before them keeps it for a whole loan, and what is overdue says nothing. To buy are the fewest copies that would bring it down to what you choose.',
  hours: 'How many books were rented, issued and returned in each hour, by the library’s clock.',
};

export const PART_EMPTY_TEXTS: Record<Insight, string> = {
  titles: 'Nothing was lent in these days',
  genres: 'Nothing was lent in these days',
  idle: 'No such book',
  wanted: 'Nobody waits for anything',
  hours: 'Nothing happened in these days',
};

/** What leads on from there. */
export const PART_ADVICE: Record<Insight, string> = {
  titles: 'Choose other days above.',
  genres: 'Choose other days above.',
  idle: 'Every book was with a reader, or came to the catalogue after the first day. Choose fewer days.',
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
