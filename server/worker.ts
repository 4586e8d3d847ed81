import { NestFactory } from '@nestjs/core';
import * as m from '#words/messages.js';
import { prepareData } from '#platform/prepare-data.js';
import { NestLog } from '#platform/logging.js';
import type { RunningOperations } from '#platform/operations/operations-port.js';
import { runProcess } from '#platform/run-process.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { WorkerOperations } from './operations/worker-operations.js';
import { WorkerModule } from './worker.module.js';

/** A worker alone: it does the jobs, and answers nobody but those who run it. */
runProcess({
  name: 'the worker',
  title: m.start_worker,
  readSettings: () => requireAddresses(readSettings()),
  maxClosing: () => 15_000,
  open: async (process, settings, logger) => {
    await process.atTerminal(() => prepareData(settings, logger));
    const app = await NestFactory.createApplicationContext(WorkerModule.with(settings, logger), {
      logger: new NestLog(logger),
      abortOnError: false,
    });
    const operations = app.get(WorkerOperations);
    let port: RunningOperations | undefined;
    process.opened(async () => {
      operations.beginClosing();
      // Its jobs are done or handed back before it answers no more.
      await app.close();
      await port?.close();
    });
    if (settings.OPERATIONS_PORT !== undefined) {
      port = await operations.open(settings.HOST, settings.OPERATIONS_PORT);
    }
    logger.info('the worker works');
  },
});
