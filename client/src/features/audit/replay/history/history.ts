import * as m from '#words/messages.js';
import { timelineEvent, type Timeline, type TimelineEvent } from '#contracts/audit/timeline.js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readTimeline } from '#contracts/audit/audit-calls.js';
import { sentenceOf } from '../../../../lib/api/request-error.js';
import { keyOf, send } from '../../../../lib/api/send.js';
import { watchReader } from '../../../../domain/live/watch-reader.js';
import { BOOK_KIND_LABELS, READER_KIND_LABELS } from '#contracts/rules/kinds.js';

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

const timelineOf = (readerId: string, after: number, signal?: AbortSignal) =>
  send(readTimeline, { params: { readerId }, query: { after } }, signal && { signal });

const historyKey = (readerId: string) => keyOf(readTimeline, { params: { readerId } });

/** A reader's whole history. What is in it never changes; it only grows. */
export function useHistory(readerId: string) {
  return useQuery({
    queryKey: historyKey(readerId),
    queryFn: ({ signal }) => wholeHistory(readerId, signal),
  });
}

/** All parts of it, one after the other. */
async function wholeHistory(readerId: string, signal: AbortSignal): Promise<History> {
  const first = await timelineOf(readerId, -1, signal);
  let history = historyOf(first);
  for (;;) {
    const last = history.events.at(-1)?.revision ?? first.lastRevision;
    if (last >= first.lastRevision) return history;
    const next = grown(history, await timelineOf(readerId, last, signal));
    // There is nothing more, whatever was said before.
    if (next === history) return history;
    history = next;
  }
}

/**
 * Lets the history grow as events come, as long as it is open.
 * @returns why it does not, in words; null while it does
 */
export function useGrowth(readerId: string, isThere: boolean): string | null {
  const client = useQueryClient();
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    if (!isThere) return;
    const queryKey = historyKey(readerId);
    const known = () => client.getQueryData<History>(queryKey)?.events.at(-1)?.revision ?? -1;
    let ended = false;
    let fetching = false;
    let latest = -1;
    const fetchNew = async () => {
      if (fetching) return;
      fetching = true;
      try {
        // More may have come while the answer was on its way.
        while (!ended && latest > known()) {
          const before = known();
          const since = await timelineOf(readerId, before);
          client.setQueryData<History>(queryKey, (history) => history && grown(history, since));
          if (known() === before) break;
        }
        setTrouble(null);
      } catch (error) {
        setTrouble(sentenceOf(error));
      } finally {
        fetching = false;
      }
    };
    const stop = watchReader(readerId, {
      onRevision: (revision) => {
        latest = Math.max(latest, revision);
        void fetchNew();
      },
      onRefused: setTrouble,
    });
    return () => {
      ended = true;
      stop();
    };
  }, [client, readerId, isThere]);
  return trouble;
}

const WORDS = { ...READER_KIND_LABELS, ...BOOK_KIND_LABELS };

/** "version 5", "version 5, for: Child, Short loan". */
export function rulesText(version: number, kinds: TimelineEvent['kinds']): string {
  const words = kinds.map((kind) => WORDS[kind]());
  return words.length === 0
    ? m.audit_rules_version({ version })
    : m.audit_rules_version_for({ version, kinds: words.join(', ') });
}
