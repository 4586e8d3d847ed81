import { migrate } from '#platform/database/migrate.js';
import { runProcess } from '#platform/run-process.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { maxClosing, startServer } from './create-server.js';

/** The server alone, against the addresses in the environment. */
runProcess({
  name: 'the server',
  readSettings: () => requireAddresses(readSettings()),
  maxClosing,
  open: async (process, settings, logger) => {
    await migrate(settings.DATABASE_URL);
    const server = await startServer(settings, { logger });
    process.opened(() => server.close());
    logger.info({ url: server.url }, 'the server listens');
  },
});
