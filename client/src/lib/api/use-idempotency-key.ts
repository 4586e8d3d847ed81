import { useCallback, useRef } from 'react';
import { RequestError } from './request-error.js';

export interface IntentKey {
  /** The key of this intention: new for a new one, the same for another attempt at the same. */
  keyFor: (intention: string) => string;
  /** The intention has been answered. */
  settle: (error?: unknown) => void;
}

/**
 * One idempotency key per thing that a person wants done. An attempt that got no clear answer (no network, a
 * server in trouble) keeps its key, so that trying again cannot do it twice.
 */
export function useIdempotencyKey(): IntentKey {
  const pending = useRef<{ intention: string; key: string } | null>(null);
  const keyFor = useCallback((intention: string) => {
    if (pending.current?.intention !== intention) {
      pending.current = { intention, key: newKey() };
    }
    return pending.current.key;
  }, []);
  const settle = useCallback((error?: unknown) => {
    if (!isUnclear(error)) pending.current = null;
  }, []);
  return { keyFor, settle };
}

function isUnclear(error: unknown): boolean {
  return error instanceof RequestError && (error.status === 0 || error.status >= 500);
}

/** A UUID; `randomUUID` is missing where the page does not come over a secure connection. */
function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
