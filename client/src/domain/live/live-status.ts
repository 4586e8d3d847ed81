import { createStore, useStore } from '../../lib/store.js';

export type LiveState = 'live' | 'reconnecting' | 'offline';

export interface LiveStatus {
  state: LiveState;
  /** When the screens were last known to be up to date; null before the first connection. */
  currentAt: number | null;
}

export const liveStatus = createStore<LiveStatus>({ state: 'reconnecting', currentAt: null });

export function useLiveStatus(): LiveStatus {
  return useStore(liveStatus);
}

export const isLive = (): boolean => liveStatus.get().state === 'live';

/** How often to ask in milliseconds, or not at all: seldom where live messages say that something happened. */
export const useAskingInterval = (withLive: number | false = false, without = 30_000) =>
  useLiveStatus().state === 'live' ? withLive : without;
