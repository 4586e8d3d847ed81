import type { Probe } from './readiness.js';
import { WrongLog } from '../event-log/log-proof.js';
import type { Notifications } from '../database/notifications.js';
import type { Metrics } from './metrics.js';

/**
 * Probes of parts that only some features know, such as printing. They are no reason to route calls elsewhere, so
 * /readyz leaves them out; the state of the house has them.
 */
export class PartProbes {
  private readonly probes: Probe[] = [];

  /** @param check as that of a probe */
  add(name: string, check: Probe['check']): void {
    this.probes.push({ name, required: false, check });
  }

  get all(): readonly Probe[] {
    return this.probes;
  }
}

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

/** Whether the process receives PostgreSQL's notifications. Without them its clients see stale data. */
export function notificationsProbe(notifications: Notifications): Probe {
  return {
    name: 'notifications',
    required: false,
    check: async () => ({ ok: notifications.isConnected, reconnects: notifications.reconnects }),
  };
}

export function measureNotifications(metrics: Metrics, notifications: Notifications): void {
  metrics.gauge(
    'lectern_notifications_connected',
    '1 while PostgreSQL’s notifications are heard: without them live updates stand still.',
    '',
    async () => new Map([['', notifications.isConnected ? 1 : 0]]),
  );
  metrics.gauge(
    'lectern_notifications_reconnects',
    'Times that the link of the notifications was lost and made anew.',
    '',
    async () => new Map([['', notifications.reconnects]]),
  );
}
