import type { Database } from '#platform/database/database.js';
import type { BorrowLog } from '#platform/event-log/borrow-log.js';
import type { Metrics } from '#platform/operations/metrics.js';
import { openOperationsPort, type RunningOperations } from '#platform/operations/operations-port.js';
import { ProjectionLag } from '#platform/operations/projection-lag.js';
import { readiness, type Probe } from '#platform/operations/readiness.js';
import type { LetterClerk } from './letters/letter-clerk.js';
import type { Projector } from './projector.js';

interface Watched {
  database: Database;
  log: BorrowLog;
  metrics: Metrics;
  projector: Projector;
  clerk: LetterClerk;
}

/**
 * Lets projections that run alone say how they are: leading, standing by, or stopped before an event that they
 * cannot read, which makes them unavailable.
 * @param port 0 for any free one
 */
export function startProjectionOperations(
  { database, log, metrics, projector, clerk }: Watched,
  host: string,
  port: number,
): Promise<RunningOperations> {
  const lag = new ProjectionLag(database, log);
  const probes: Probe[] = [
    {
      name: 'projector',
      required: true,
      check: async () => {
        const { kind } = projector.state;
        return { ok: kind === 'leading' || kind === 'standby', state: kind };
      },
    },
    {
      name: 'letters',
      required: false,
      check: async () => {
        const { kind } = clerk.state;
        return { ok: kind === 'leading' || kind === 'standby', state: kind };
      },
    },
    { name: 'database', required: true, check: async () => void (await database.query('select 1')) },
    { name: 'eventStore', required: true, check: async () => ({ lagSeconds: await lag.seconds() }) },
  ];
  metrics.gauge(
    'lectern_projection_lag_seconds',
    'Age of the oldest event that the read models do not have.',
    '',
    async () => new Map([['', await lag.seconds()]]),
  );
  metrics.gauge(
    'lectern_projection_leads',
    '1 in the process that applies events, 0 in those that stand by.',
    '',
    async () => new Map([['', projector.state.kind === 'leading' ? 1 : 0]]),
  );
  return openOperationsPort({ metrics, ready: () => readiness(probes) }, host, port);
}
