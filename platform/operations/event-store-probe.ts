import { WrongLog } from '../event-log/log-proof.js';
import type { Probe } from './readiness.js';

/**
 * Whether the event store answers, with the log of this library.
 * @param ask gives what is known beside that
 */
export function eventStoreProbe(required: boolean, ask: Probe['check']): Probe {
  const check = async () => {
    try {
      return await ask();
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      if (!(cause instanceof WrongLog)) throw error;
      return { ok: false, state: `${cause.kind} log` };
    }
  };
  return { name: 'eventStore', required, check };
}
