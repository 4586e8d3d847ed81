import type { Notifications } from '../database/notifications.js';
import type { Metrics } from './metrics.js';
import type { Probe } from './readiness.js';

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
