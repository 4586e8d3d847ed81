import { NestFactory } from '@nestjs/core';
import type { Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { NestLog, type Logger } from '#platform/logging.js';
import { Heartbeat } from '#platform/operations/heartbeat.js';
import { Metrics } from '#platform/operations/metrics.js';
import type { RunningOperations } from '#platform/operations/operations-port.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE } from '#platform/tokens.js';
import { projectionProbes, startProjectionOperations, type Watched } from './projection-operations.js';
import type { FollowerState } from './follower-health.js';
import { LetterReactor } from './letters/letter-reactor.js';
import { ProjectionsModule } from './projections.module.js';
import { Projector } from './projector.js';

/** Running projections. */
export interface RunningProjections {
  state(): FollowerState;
  /** Opens a health port. The caller closes it first. */
  operations(host: string, port: number): Promise<RunningOperations>;
  /** Of the reactor that requests letters. */
  letters(): FollowerState;
  close(): Promise<void>;
}

/** Starts the projections: they lead, or stand by while another process does. */
export async function startProjections(
  settings: ResolvedSettings,
  logger: Logger,
): Promise<RunningProjections> {
  const module = ProjectionsModule.with(settings, logger);
  const app = await NestFactory.createApplicationContext(module, {
    logger: new NestLog(logger),
    abortOnError: false,
  });
  await app.init();
  const projector = app.get(Projector);
  const letters = app.get(LetterReactor);
  const watched: Watched = {
    database: app.get<Database>(DATABASE),
    schema: app.get(ReadModelSchema),
    log: app.get(EventLog),
    metrics: app.get(Metrics),
    projector,
    letters,
  };
  const probes = projectionProbes(watched);
  const heartbeat = new Heartbeat({
    ...{ kind: 'projections', database: watched.database, logger },
    probes: () => probes,
    ...(settings.heartbeatMs !== undefined && { everyMs: settings.heartbeatMs }),
  });
  heartbeat.start();
  const close = async () => {
    await heartbeat.stop();
    await app.close();
  };
  let closing: Promise<void> | undefined;
  return {
    state: () => projector.state,
    letters: () => letters.state,
    operations: (host, port) => startProjectionOperations(watched, host, port),
    close: () => (closing ??= close()),
  };
}
