import { endAtSignal } from '#platform/end-of-process.js';
import { createLogger } from '#platform/logging.js';
import { migrate } from '#platform/database/migrate.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { startServer } from './create-server.js';

/** Milliseconds, after the time to drain, after which an orderly end is given up. */
const MOST_CLOSING = 20_000;

/** The server alone, against the addresses in the environment. */
const settings = requireAddresses(readSettings());
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const server = await startServer(settings, { logger });
logger.info({ url: server.url }, 'the server listens');
endAtSignal('the server', () => server.close(), settings.DRAIN_SECONDS * 1000 + MOST_CLOSING, logger);
