import { useCallback, useEffect, useState } from 'react';
import { readKiosk, type Kiosk } from '#contracts/self-service/self-service.js';
import { RequestError } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';

/** Milliseconds between two questions whether the kiosk may go on: one that is revoked shows nothing for longer. */
const ASKS_EVERY = 4_000;

interface Bound {
  /** Null where this browser is no kiosk; undefined until that is known. */
  kiosk: Kiosk | null | undefined;
  /** Whether the library answers. */
  isOnline: boolean;
}

/** Whether this browser is a kiosk, and whether it may serve. */
export function useKiosk(): Bound & { look: () => Promise<void> } {
  const [bound, setBound] = useState<Bound>({ kiosk: undefined, isOnline: true });
  const look = useCallback(async () => {
    try {
      const kiosk = await send(readKiosk);
      setBound({ kiosk, isOnline: true });
    } catch (error) {
      const status = error instanceof RequestError ? error.status : 0;
      if (status === 401 || status === 403) setBound({ kiosk: null, isOnline: true });
      else setBound((before) => ({ ...before, isOnline: false }));
    }
  }, []);
  useEffect(() => {
    const first = window.setTimeout(() => void look());
    const timer = window.setInterval(() => void look(), ASKS_EVERY);
    return () => {
      window.clearTimeout(first);
      window.clearInterval(timer);
    };
  }, [look]);
  return { ...bound, look };
}
