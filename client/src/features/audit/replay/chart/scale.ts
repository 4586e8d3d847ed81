import { numberAt, type HistoryEvent } from '../history/history.js';

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

const HOUR = 3_600_000;
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
