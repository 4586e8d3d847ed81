/**
 * Prints one report in a separate process: if its browser runs wild, the process is killed without harm to the
 * server. The file is written and the report is marked ready in one transaction.
 */
import { openDatabase } from '#platform/database/database.js';
import { inLanguage } from '#platform/language.js';
import { createLogger } from '#platform/logging.js';
import { makeReport, ReportRefused } from './make-report.js';
import {
  PrinterUnavailable,
  type PrintFailure,
  type PrintRequest,
  type PrintMessage,
} from './print-messages.js';

const send = (report: PrintMessage) =>
  new Promise<void>((resolve) => {
    if (!process.connected) return resolve();
    process.send?.(report, () => resolve());
  });

// Without the server, nobody would end this process in time.
process.once('disconnect', () => process.exit());

process.once('message', (order: PrintRequest) => {
  void work(order).then(() => process.disconnect());
});

async function work(order: PrintRequest): Promise<void> {
  const database = openDatabase(order.databaseUrl, 2, createLogger('silent'));
  try {
    await inLanguage(order.language, () => makeReport(database, order, (report) => void send(report)));
    await send({ kind: 'done' });
  } catch (error) {
    const { message, stack } = error as Error;
    await send({ kind: 'failed', code: codeOf(error), message, stack });
  } finally {
    await database.end();
  }
}

function codeOf(error: unknown): PrintFailure {
  if (error instanceof PrinterUnavailable) return 'PrinterUnavailable';
  return error instanceof ReportRefused ? error.code : 'ReportFailed';
}
