import type { Database } from '#platform/database/database.js';
import { READ_MODEL } from '#platform/database/read-model.js';
import type { BorrowLog } from '#platform/event-log/borrow-log.js';
import type { Metrics } from '#platform/operations/metrics.js';
import { openOperationsPort, type RunningOperations } from '#platform/operations/operations-port.js';
import { FollowerLag } from '#platform/operations/follower-lag.js';
import { readiness, type Probe } from '#platform/operations/readiness.js';
import type { LetterReactor } from './letters/letter-reactor.js';
import type { Projector } from './projector.js';

type Follower = Pick<Projector | LetterReactor, 'state' | 'losses'>;

interface Watched {
  database: Database;
  log: BorrowLog;
  metrics: Metrics;
  projector: Projector;
  clerk: LetterReactor;
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
  const lag = new FollowerLag(database, log, READ_MODEL);
  const lettersLag = new FollowerLag(database, log, 'letters');
  const standing = async ({ state: { kind } }: Follower) => ({
    ok: kind === 'leading' || kind === 'standby',
    state: kind,
  });
  const probes: Probe[] = [
    { name: 'projector', required: true, check: () => standing(projector) },
    { name: 'letters', required: false, check: () => standing(clerk) },
    { name: 'database', required: true, check: async () => void (await database.query('select 1')) },
    { name: 'eventStore', required: true, check: async () => ({ lagSeconds: await lag.seconds() }) },
  ];
  const followers = { projection: projector, letters: clerk };
  /** One measurement of each follower. */
  const each = (of: (follower: Follower) => number) => async () =>
    new Map(Object.entries(followers).map(([name, follower]) => [name, of(follower)]));
  metrics.gauge(
    'lectern_projection_lag_seconds',
    'Age of the oldest event that the read models do not have.',
    '',
    async () => new Map([['', await lag.seconds()]]),
  );
  metrics.gauge(
    'lectern_letters_lag_seconds',
    'Age of the oldest event whose letters were not asked for.',
    '',
    async () => new Map([['', await lettersLag.seconds()]]),
  );
  metrics.gauge(
    'lectern_follower_leads',
    '1 in the process that follows the event log for this work, 0 in those that stand by.',
    'follower',
    each(({ state }) => (state.kind === 'leading' ? 1 : 0)),
  );
  metrics.gauge(
    'lectern_follower_stopped',
    '1 where an event cannot be read: a person has to look.',
    'follower',
    each(({ state }) => (state.kind === 'stopped' ? 1 : 0)),
  );
  metrics.gauge(
    'lectern_follower_reconnects',
    'Times that the link to the event log or the database was lost, or could not be made, and was tried anew.',
    'follower',
    each(({ losses }) => losses),
  );
  return openOperationsPort({ metrics, ready: () => readiness(probes) }, host, port);
}
