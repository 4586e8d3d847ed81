import type { QueryClient } from '@tanstack/react-query';
import type { CommandAnswer } from '#contracts/borrowing/borrow-views.js';
import { queryKeys } from '../query-keys.js';
import { knownBorrows } from './known-borrows.js';
import { isLive } from './live-status.js';
import { isLater } from './positions.js';

/** How long a live message about one's own command may take before the lists are asked for again. */
const PATIENCE_MS = 1200;

/**
 * After a command: the live message shows its effect in place. Where no message comes, the lists are asked for
 * again, at once without a connection and after a moment with one.
 */
export function ensureFresh(client: QueryClient, { borrowId, position }: CommandAnswer): void {
  const refetch = () => {
    void client.invalidateQueries({ queryKey: queryKeys.borrows });
    void client.invalidateQueries({ queryKey: queryKeys.stats });
  };
  if (!isLive()) return refetch();
  setTimeout(() => {
    const known = knownBorrows.get(borrowId);
    if (!known || isLater(position, known.position)) refetch();
  }, PATIENCE_MS);
}
