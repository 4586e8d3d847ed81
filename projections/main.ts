import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { startProjections } from './start-projections.js';

/** The projections alone, against the addresses in the environment. */
const settings = requireAddresses({ JWT_SECRET: '-', ...readSettings() });
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const projections = await startProjections(settings, logger);
const operations =
  settings.OPERATIONS_PORT === undefined
    ? undefined
    : await projections.operations(settings.HOST, settings.OPERATIONS_PORT);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void operations?.close();
    projections.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, 'the projections did not close cleanly');
        process.exit(1);
      },
    );
  });
}
