import { endAtSignal } from '#platform/end-of-process.js';
import { createLogger } from '#platform/logging.js';
import { migrate } from '#platform/database/migrate.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { mostClosing, startServer } from './create-server.js';

/** The server alone, against the addresses in the environment. */
const settings = requireAddresses(readSettings());
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const server = await startServer(settings, { logger });
logger.info({ url: server.url }, 'the server listens');
endAtSignal('the server', () => server.close(), mostClosing(settings), logger);
