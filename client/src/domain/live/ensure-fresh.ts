import type { QueryClient } from '@tanstack/react-query';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { invalidate, queryKeys } from '../query-keys.js';
import { knownBorrows, isLater } from './recent-messages.js';
import { isLive } from './live-status.js';

/** How long to wait for the live message about one's own command before refetching the lists. */
const TIMEOUT_MS = 1200;

/**
 * After a command: normally a live message updates the lists in place. If none comes, refetches them: at once without a
 * connection, after a short delay with one.
 */
export function ensureFresh(client: QueryClient, { borrowId, position }: CommandAnswer): void {
  const refetch = () => {
    invalidate(
      client,
      queryKeys.borrows,
      queryKeys.stats,
      queryKeys.today,
      queryKeys.lastEvents,
      queryKeys.standings,
      queryKeys.holds,
    );
  };
  if (!isLive()) return refetch();
  setTimeout(() => {
    const known = knownBorrows.get(borrowId);
    if (!known || isLater(position, known.position)) refetch();
  }, TIMEOUT_MS);
}
