import { addDays } from '#contracts/local-day.js';
import { dayStart, isoDay, isoMinute } from '../../../../lib/dates.js';
import type { View } from './bars.js';
import type { Proportion, Scale } from './scale.js';

export interface Tick {
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
    ticks.push({ place, label: `№ ${number}` });
  }
  return ticks;
}
