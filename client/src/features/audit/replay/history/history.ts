import { timelineEvent, type Timeline, type TimelineEvent } from '#contracts/audit/timeline.js';

/**
 * A reader's events in the order of the log. An event's number is its revision + 1: number 0 is the instant before
 * the first one, and `events[number - 1]` is the one that made the state at a number.
 */
export interface History {
  reader: { id: string; fullname: string };
  events: readonly HistoryEvent[];
}

export interface HistoryEvent extends TimelineEvent {
  /**
   * Milliseconds since 1970, never before the event that precedes it: clocks of two servers may disagree, and the
   * order of the log is what happened.
   */
  when: number;
}

export function historyOf(timeline: Timeline): History {
  return { reader: timeline.reader, events: decoded(timeline, 0) };
}

/** The history with the events that came since; those that are known already change nothing. */
export function grown(history: History, since: Timeline): History {
  const last = history.events.at(-1);
  const fresh = decoded(since, last?.when ?? 0).filter(({ revision }) => revision > (last?.revision ?? -1));
  return fresh.length === 0 ? history : { ...history, events: [...history.events, ...fresh] };
}

function decoded(timeline: Timeline, from: number): HistoryEvent[] {
  let when = from;
  return timeline.rows.map((row) => {
    const event = timelineEvent(timeline, row);
    when = Math.max(when, event.occurredAt);
    return { ...event, when };
  });
}

/** How many of the events have happened at a time: the number of the last of them. */
export function numberAt(events: readonly HistoryEvent[], time: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.when ?? Infinity) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
