import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { startProjections } from '../projections/start-projections.js';
import { startServer } from '../server/create-server.js';
import { banner } from './banner.js';
import { seedDemo } from './demo/seed-demo.js';
import { openInstallation } from './installation.js';
import { startMailbox, type Mailbox } from './mailbox/mailbox.js';

/** Milliseconds after which an orderly end is given up. */
const MOST_CLOSING = 20_000;

/** The whole product in one process: `npm start`. */
async function start(settings: Settings): Promise<void> {
  const logger = createLogger(settings.LOG_LEVEL);
  const closers: (() => Promise<void>)[] = [];
  let closing: Promise<void> | undefined;

  const close = (): Promise<void> =>
    (closing ??= (async () => {
      for (const closer of closers.reverse()) await closer();
    })());

  const leave = (code: number) => {
    void Promise.race([close().then(() => code), sleep(MOST_CLOSING, 1, { ref: false })]).then(
      (exitCode) => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ error }, 'the product did not close cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(0));

  try {
    const installation = await openInstallation(settings, logger, (reason) => {
      if (closing) return;
      logger.fatal({ error: reason }, 'a part of the product ended by itself');
      leave(1);
    });
    closers.push(() => installation.close());
    const resolved = installation.settings;
    await migrate(resolved.DATABASE_URL);

    const isDemo = installation.isEmbedded && settings.DEMO !== 'off';
    if (isDemo) await seedDemo(resolved.DATABASE_URL, logger);

    let mailbox: Mailbox | undefined;
    if (resolved.SMTP_URL === undefined) {
      mailbox = await startMailbox({ folder: join(resolve(settings.DATA_DIR), 'mailbox') });
      closers.push(() => mailbox?.stop() ?? Promise.resolve());
    }
    const addressed = { ...resolved, SMTP_URL: resolved.SMTP_URL ?? mailbox?.smtpUrl };

    const projections = await startProjections(resolved, logger);
    closers.push(() => projections.close());
    const server = await startServer(addressed, { logger, ...(mailbox && { pages: mailbox.router }) });
    closers.push(() => server.close());
    if (closing) return;
    process.stdout.write(
      banner({ url: server.url, settings: resolved, isDemo, hasMailbox: mailbox !== undefined }),
    );
  } catch (error) {
    if (!closing) {
      process.stderr.write(`\nLectern did not start.\n${explain(error, settings)}\n\n`);
      logger.debug({ error }, 'the start failed');
      leave(1);
    }
  }
}

/** A sentence that a person at a terminal can act on. */
function explain(error: unknown, settings: Settings): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${settings.PORT} on ${settings.HOST} is taken. Set PORT to another one.`;
  if (code === 'EACCES' && /listen/.test(message))
    return `Port ${settings.PORT} needs more rights. Set PORT to another one.`;
  return message ?? String(error);
}

try {
  await start(readSettings({ LOG_LEVEL: 'warn', ...process.env }));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
