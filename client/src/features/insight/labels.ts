import * as m from '#words/messages.js';
import type { Activity, HoldActivity, Insight } from '#contracts/insight/insight.js';

export const PART_NAMES: Record<Insight, string> = {
  titles: m.common_titles(),
  genres: m.common_genres(),
  idle: m.insight_idle(),
  wanted: m.insight_wanted(),
  hours: m.insight_hours(),
};

/** What each part is, over its figures. */
export const PART_LEADS: Record<Insight, string> = {
  titles: m.insight_titles_lead(),
  genres: m.insight_genres_lead(),
  idle: m.insight_idle_lead(),
  wanted: m.insight_wanted_lead(),
  hours: m.insight_hours_lead(),
};

export const PART_EMPTY_TEXTS: Record<Insight, string> = {
  titles: m.insight_nothing_lent(),
  genres: m.insight_nothing_lent(),
  idle: m.insight_no_idle(),
  wanted: m.insight_nobody_waiting(),
  hours: m.insight_nothing_happened(),
};

/** What leads on from there. */
export const PART_ADVICE: Record<Insight, string> = {
  titles: m.insight_other_days(),
  genres: m.insight_other_days(),
  idle: m.insight_no_idle_hint(),
  wanted: m.insight_nobody_waiting_hint(),
  hours: m.insight_other_days(),
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
  Rented: m.insight_rented(),
  Issued: m.insight_issued(),
  Returned: m.insight_returned(),
  Waiting: m.insight_waiting(),
  Reserved: m.insight_reserved(),
  Cancelled: m.insight_cancelled(),
  NotCollected: m.insight_not_collected(),
  NotNeeded: m.insight_not_needed(),
};

/** As it stands within a sentence: "not collected". */
export const happeningWord = (what: Activity | HoldActivity) => HAPPENING_LABELS[what].toLowerCase();

/** `14:00–15:00` */
export function hourName(hour: number): string {
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`;
  return `${clock(hour)}–${clock((hour + 1) % 24)}`;
}

/** Loans for one copy; nothing where there is none. */
export function perCopy(loans: number, copies: number | null): string {
  return copies ? m.insight_per_copy({ figure: loans / copies }) : '–';
}
