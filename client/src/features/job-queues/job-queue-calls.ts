import { useMutation, useQuery } from '@tanstack/react-query';
import { openQueues, readQueues } from '#contracts/dashboard/queues.js';
import { queryOf, send } from '../../lib/api/send.js';

const EVERY_MS = 10_000;

/** How much work is in the job queues; refetched while the page is open. */
export function useJobQueues() {
  return useQuery({
    ...queryOf(readQueues),
    refetchInterval: EVERY_MS,
    meta: { inPlace: true },
  });
}

/** The page with the jobs themselves is the server's: this browser gets a ticket for it, and a tab that shows it. */
export function useOpenJobQueues() {
  return useMutation({
    mutationFn: async () => {
      // Opened before the answer: later, browsers no longer attribute it to the person's click.
      const tab = window.open('', '_blank');
      try {
        const { url } = await send(openQueues);
        if (tab) {
          tab.opener = null;
          tab.location.replace(url);
        }
        return { url, opened: tab !== null };
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
    meta: { inPlace: true },
  });
}
