import { NestFactory } from '@nestjs/core';
import { migrate } from '#platform/database/migrate.js';
import { endAtSignal } from '#platform/end-of-process.js';
import { createLogger, NestLog } from '#platform/logging.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { WorkerOperations } from './operations/worker-operations.js';
import { WorkerModule } from './worker.module.js';

/** Milliseconds after which an orderly end is given up. */
const MAX_CLOSING = 15_000;

/** A worker alone: it does the jobs, and answers nobody but those who run it. */
const settings = requireAddresses(readSettings());
const logger = createLogger(settings.LOG_LEVEL);
await migrate(settings.DATABASE_URL);
const app = await NestFactory.createApplicationContext(WorkerModule.with(settings, logger), {
  logger: new NestLog(logger),
  abortOnError: false,
});
const operations = app.get(WorkerOperations);
const port =
  settings.OPERATIONS_PORT === undefined
    ? undefined
    : await operations.open(settings.HOST, settings.OPERATIONS_PORT);
logger.info('the worker works');

const close = async () => {
  operations.beginClosing();
  // Its jobs are done or handed back before it answers no more.
  await app.close();
  await port?.close();
};
endAtSignal('the worker', close, MAX_CLOSING, logger);
