import { useSearchParams } from 'react-router-dom';
import { BORROW_EVENT_TYPES } from '#contracts/borrowing/borrow-events.js';
import type { Proportion } from './scale.js';

export type ReplayTab = 'replay' | 'looks';

/** What a link to a replay says. */
export interface ReplayAddress {
  /** The number of the event whose state is shown, 0 before the first; null: the end, also as it grows. */
  at: number | null;
  borrowId: string | null;
  kind: string | null;
  proportion: Proportion;
  tab: ReplayTab;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function replayOfAddress(params: URLSearchParams): ReplayAddress {
  const at = params.get('at') ?? '';
  const borrowId = params.get('borrow') ?? '';
  const kind = params.get('kind');
  return {
    at: /^\d{1,9}$/.test(at) ? Number(at) : null,
    borrowId: UUID.test(borrowId) ? borrowId : null,
    kind: BORROW_EVENT_TYPES.find((type) => type === kind) ?? null,
    proportion: params.get('by') === 'events' ? 'events' : 'time',
    tab: params.get('tab') === 'looks' ? 'looks' : 'replay',
  };
}

/** What is usual is left out. */
export function addressOfReplay({
  at,
  borrowId,
  kind,
  proportion,
  tab,
}: ReplayAddress): Record<string, string> {
  return {
    ...(at !== null && { at: String(at) }),
    ...(borrowId !== null && { borrow: borrowId }),
    ...(kind !== null && { kind }),
    ...(proportion === 'events' && { by: 'events' }),
    ...(tab === 'looks' && { tab }),
  };
}

/** An instant that was gone to, a filter and a tab are steps that Back undoes; how it is drawn is none. */
export function useReplayAddress(): [ReplayAddress, (changes: Partial<ReplayAddress>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (changes: Partial<ReplayAddress>) =>
    setParams((now) => addressOfReplay({ ...replayOfAddress(now), ...changes }), {
      replace: changes.proportion !== undefined,
      preventScrollReset: true,
    });
  return [replayOfAddress(params), change];
}
