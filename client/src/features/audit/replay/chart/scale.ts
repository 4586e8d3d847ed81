import * as m from '#words/messages.js';
import { numberAt, type HistoryEvent } from '../history/history.js';
import { addDays } from '#contracts/local-day.js';
import { dayStart, isoDay, isoMinute } from '../../../../lib/dates.js';

/** The part of a history that is in view, of its whole width (0 to 1). */
export interface View {
  from: number;
  to: number;
}

/** Whether equal widths are equal times, or equal numbers of events. */
export type Proportion = 'time' | 'events';

/** Where things are between the left end of a history (0) and its right end (1). */
export interface Scale {
  /** Of an instant, in milliseconds since 1970. */
  ofTime: (time: number) => number;
  /** Of the state after so many events; 0 is before the first one. */
  ofNumber: (number: number) => number;
  /** The other way round: the instant at a place. */
  timeAt: (place: number) => number;
  /** The number of the last event that is not to the right of a place. */
  numberAt: (place: number) => number;
}

/** Room before the first and after the last event, as a share of the time between them. */
const MARGIN = 0.015;

export function scaleOf(events: readonly HistoryEvent[], proportion: Proportion): Scale {
  return proportion === 'time' ? byTime(events) : byEvents(events);
}

function byTime(events: readonly HistoryEvent[]): Scale {
  const first = events[0]?.when ?? 0;
  const last = events.at(-1)?.when ?? first;
  const margin = Math.max(HOUR, (last - first) * MARGIN);
  const start = first - margin;
  const width = last + margin - start;
  const ofTime = (time: number) => within((time - start) / width);
  const timeAt = (place: number) => start + place * width;
  return {
    ofTime,
    timeAt,
    ofNumber: (number) => (number <= 0 ? 0 : ofTime(events[number - 1]?.when ?? last)),
    // A place comes from a pixel or from a slider: a touch beyond the event still means the event.
    numberAt: (place) => numberAt(events, timeAt(place) + width * 1e-9),
  };
}

function byEvents(events: readonly HistoryEvent[]): Scale {
  const places = events.length + 1;
  const ofNumber = (number: number) => within(number / places);
  return {
    ofNumber,
    numberAt: (place) => Math.min(events.length, Math.floor(place * places + 1e-6)),
    ofTime: (time) => {
      const number = numberAt(events, time);
      const before = events[number - 1]?.when;
      const after = events[number]?.when;
      if (before === undefined || after === undefined || after <= before) return ofNumber(number);
      return ofNumber(number + (time - before) / (after - before));
    },
    timeAt: (place) => {
      const exact = place * places;
      const before = events[Math.floor(exact) - 1]?.when ?? events[0]?.when ?? 0;
      const after = events[Math.floor(exact)]?.when ?? before;
      return before + (after - before) * (exact - Math.floor(exact));
    },
  };
}

function within(place: number): number {
  return Math.min(1, Math.max(0, place));
}

interface Tick {
  place: number;
  label: string;
}

/** Room that a label needs, in pixels. */
const ROOM = 92;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const HOURS = [1, 3, 6, 12];
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600];

/** Marks under a drawing: of the calendar, or of the numbers of events. */
export function axisTicks(
  scale: Scale,
  view: View,
  width: number,
  proportion: Proportion,
  total: number,
): Tick[] {
  if (width <= 0) return [];
  return proportion === 'time' ? calendarTicks(scale, view, width) : numberTicks(scale, view, width, total);
}

function calendarTicks(scale: Scale, view: View, width: number): Tick[] {
  const start = scale.timeAt(view.from);
  const end = scale.timeAt(view.to);
  const least = ((end - start) / width) * ROOM;
  const hours = HOURS.find((count) => count * HOUR >= least);
  const days = DAYS.find((count) => count * DAY >= least);
  const months = MONTHS.find((count) => count * 30 * DAY >= least) ?? 1200;
  const first = isoDay(start);
  const ticks: Tick[] = [];
  for (let step = 0; ; step += 1) {
    const marks =
      hours !== undefined
        ? hoursOf(addDays(first, step), hours)
        : days !== undefined
          ? [markOf(addDays(first, step * days), 10)]
          : [monthOf(first, step, months)];
    for (const { time, label } of marks) {
      if (time > end) return ticks;
      if (time >= start) ticks.push({ place: scale.ofTime(time), label });
    }
  }
}

interface Mark {
  time: number;
  label: string;
}

/** The beginning of a day of the library. */
function markOf(day: string, letters: number): Mark {
  return { time: dayStart(day), label: day.slice(0, letters) };
}

/** A day's beginning, and every so many hours after it: its clock may have been changed meanwhile. */
function hoursOf(day: string, hours: number): Mark[] {
  const marks = [markOf(day, 10)];
  const end = dayStart(addDays(day, 1));
  for (let time = dayStart(day) + hours * HOUR; time < end; time += hours * HOUR)
    marks.push({ time, label: isoMinute(time).slice(11) });
  return marks;
}

/** The first day of a month, counted from January, or from the January of a round year. */
function monthOf(first: string, step: number, months: number): Mark {
  const year = Number(first.slice(0, 4));
  const round = months >= 12 ? year % (months / 12) : 0;
  const day = new Date(Date.UTC(year - round, step * months)).toISOString().slice(0, 10);
  return markOf(day, months >= 12 ? 4 : 7);
}

function numberTicks(scale: Scale, view: View, width: number, total: number): Tick[] {
  const inView = Math.max(1, (view.to - view.from) * (total + 1));
  const least = (inView / width) * ROOM;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? 1;
  const first = Math.max(step, Math.ceil((view.from * (total + 1)) / step) * step);
  const ticks: Tick[] = [];
  for (let number = first; number <= total; number += step) {
    const place = scale.ofNumber(number);
    if (place > view.to) break;
    ticks.push({ place, label: m.audit_tick_event({ number }) });
  }
  return ticks;
}
