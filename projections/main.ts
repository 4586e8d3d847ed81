import { endAtSignal } from '#platform/end-of-process.js';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { startProjections } from './start-projections.js';

/** Milliseconds after which an orderly end is given up. */
const MAX_CLOSING = 15_000;

/** The projections alone, against the addresses in the environment. */
const settings = requireAddresses({ JWT_SECRET: '-', ...readSettings() });
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const projections = await startProjections(settings, logger);
const operations =
  settings.OPERATIONS_PORT === undefined
    ? undefined
    : await projections.operations(settings.HOST, settings.OPERATIONS_PORT);

const close = async () => {
  await operations?.close();
  await projections.close();
};
endAtSignal('the projections', close, MAX_CLOSING, logger);
