import { createLogger } from '#platform/logging.js';
import { migrate } from '#platform/database/migrate.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { startServer } from './create-server.js';

/** The server alone, against the addresses in the environment. */
const settings = requireAddresses(readSettings());
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const server = await startServer(settings, { logger });
logger.info({ url: server.url }, 'the server listens');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ error }, 'the server did not close cleanly');
        process.exit(1);
      },
    );
  });
}
