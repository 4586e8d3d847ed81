import { WrongLog } from '../event-log/log-proof.js';
import type { Notifications } from '../database/notifications.js';
import type { Metrics } from './metrics.js';
import { withDeadlineTimeout } from '../deadline.js';

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

/** A part that the process depends on. */
export interface Probe {
  name: string;
  /** Without a required part the process can do nothing; without another one it still does some of its work. */
  required: boolean;
  /** Returns details, and `ok: false` if they are bad; throws when the part is unavailable. */
  check: () => Promise<({ ok?: boolean } & Record<string, number | string | boolean>) | void>;
}

/** `unavailable`: route no traffic here. `degraded`: a part is unavailable, and the rest works. */
type ReadinessStatus = 'ready' | 'degraded' | 'unavailable' | 'closing';

export interface Readiness {
  status: ReadinessStatus;
  checks: Record<string, { ok: boolean; milliseconds: number } & Record<string, unknown>>;
}

/** Timeout of a check, in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Checks every part at once. Failures are reported by the part's name only: an error message may contain an address or
 * a user's name, and anybody who reaches the port sees this response.
 */
export async function readiness(probes: readonly Probe[]): Promise<Readiness> {
  const checks = await Promise.all(
    probes.map(async ({ name, check }) => {
      const began = performance.now();
      const outcome = await withDeadlineTimeout(TIMEOUT, check, 'no answer in time').then(
        (details) => ({ ok: true, ...details }),
        () => ({ ok: false }),
      );
      return [name, { ...outcome, milliseconds: Math.round(performance.now() - began) }] as const;
    }),
  );
  const away = new Set(checks.filter(([, { ok }]) => !ok).map(([name]) => name));
  const status = probes.some(({ name, required }) => required && away.has(name))
    ? 'unavailable'
    : away.size > 0
      ? 'degraded'
      : 'ready';
  return { status, checks: Object.fromEntries(checks) };
}
