import { isoDay } from '../../../../lib/dates.js';
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
  const first = new Date(start);
  const ticks: Tick[] = [];
  const add = (date: Date, label: string) => {
    const time = date.getTime();
    if (time >= start && time <= end) ticks.push({ place: scale.ofTime(time), label });
    return time <= end;
  };
  const year = first.getFullYear();
  const month = first.getMonth();
  const day = first.getDate();
  for (let step = 0; ; step += 1) {
    let date: Date;
    let label: string;
    if (hours !== undefined) {
      date = new Date(year, month, day, step * hours);
      const clock = `${String(date.getHours()).padStart(2, '0')}:00`;
      label = date.getHours() === 0 ? isoDay(date.getTime()) : clock;
    } else if (days !== undefined) {
      date = new Date(year, month, day + step * days);
      label = isoDay(date.getTime());
    } else {
      date = new Date(year - (months >= 12 ? year % (months / 12) : 0), step * months, 1);
      if (months < 12 && date.getTime() < start - months * 31 * DAY) continue;
      label = months >= 12 ? String(date.getFullYear()) : isoDay(date.getTime()).slice(0, 7);
    }
    if (!add(date, label)) return ticks;
  }
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
