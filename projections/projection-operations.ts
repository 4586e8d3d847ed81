import { PROJECTED } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import type { ReadModelSchema } from '#platform/database/read-model-schema.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import type { Metrics } from '#platform/operations/metrics.js';
import { openOperationsPort, type RunningOperations } from '#platform/operations/operations-port.js';
import { eventStoreProbe, readiness, type Probe } from '#platform/operations/probes.js';
import { FollowerLag } from '#platform/operations/follower-states.js';
import type { Follower } from './follower.js';

export interface Watched {
  database: Database;
  schema: ReadModelSchema;
  log: EventLog;
  metrics: Metrics;
  projector: Follower;
  letters: Follower;
}

/** What /readyz shows of projections that run alone, and their heartbeat tells. */
export function projectionProbes({ database, schema, log, projector, letters }: Watched): Probe[] {
  const lag = new FollowerLag(database, log, () => schema.present(), PROJECTED);
  const standing = async ({ state, isReady }: Follower) => ({
    ok: isReady,
    state: state.kind,
    ...(state.kind === 'retrying' && { failure: state.failure }),
  });
  return [
    { name: 'projector', required: true, check: () => standing(projector) },
    { name: 'letters', required: false, check: () => standing(letters) },
    { name: 'database', required: true, check: async () => void (await database.query('select 1')) },
    eventStoreProbe(true, async () => ({ lagSeconds: await lag.seconds() })),
  ];
}

/**
 * Health of projections that run alone: leading, standing by, retrying, or stopped. Stopped is unavailable at once,
 * retrying after half a minute.
 * @param port 0 for any free one
 */
export function startProjectionOperations(
  watched: Watched,
  host: string,
  port: number,
): Promise<RunningOperations> {
  const { database, schema, log, metrics, projector, letters } = watched;
  const lag = new FollowerLag(database, log, () => schema.present(), PROJECTED);
  const lettersLag = new FollowerLag(database, log, async () => 'letters');
  const probes = projectionProbes(watched);
  const followers = { projection: projector, letters };
  /** A gauge with a value for each follower. */
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
    '1 where it cannot go on, for instance at an event that cannot be applied: a person has to look.',
    'follower',
    each(({ state }) => (state.kind === 'stopped' ? 1 : 0)),
  );
  metrics.gauge(
    'lectern_follower_ready',
    '0 where it is stopped, or fails for longer than half a minute.',
    'follower',
    each(({ isReady }) => (isReady ? 1 : 0)),
  );
  metrics.gauge(
    'lectern_follower_reconnects',
    'Times that it failed at something that may pass, such as a lost link, and began anew.',
    'follower',
    each(({ losses }) => losses),
  );
  metrics.gauge(
    'lectern_follower_resubscriptions',
    'Times that the event store ended its subscription as it did not keep up, and it went on at once: normal under load.',
    'follower',
    each(({ resubscriptions }) => resubscriptions),
  );
  return openOperationsPort({ metrics, ready: () => readiness(probes) }, host, port);
}
