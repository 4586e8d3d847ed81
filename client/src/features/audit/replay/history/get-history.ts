import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readTimeline } from '#contracts/audit/audit-calls.js';
import { sentenceOf } from '../../../../lib/api/request-error.js';
import { keyOf, send } from '../../../../lib/api/send.js';
import { watchReader } from '../../../../domain/live/watch-reader.js';
import { grown, historyOf, type History } from './history.js';

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
