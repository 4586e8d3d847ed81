import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '#platform/database/migrate.js';
import { createLogger, type Logger } from '#platform/logging.js';
import { publicUrl } from '#platform/public-url.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { startProjections } from '../projections/start-projections.js';
import { mostClosing, startServer } from '../server/create-server.js';
import { banner } from './banner.js';
import { seedDemo } from './demo/seed-demo.js';
import { closeAll, openInstallation } from './installation.js';
import { startMailbox, type Mailbox } from './mailbox/mailbox.js';

/** The whole product in one process: `npm start`. */
function start(settings: Settings): void {
  const logger = createLogger(settings.LOG_LEVEL);
  const closers: (() => Promise<void>)[] = [];
  let opening: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  // What is just being opened is waited for: it could not be closed before.
  const close = (): Promise<void> =>
    (closing ??= opening.catch(() => undefined).then(() => closeAll(closers)));

  const leave = (code: number) => {
    void Promise.race([close().then(() => code), sleep(mostClosing(settings), 1, { ref: false })]).then(
      (exitCode) => process.exit(exitCode),
      (error: unknown) => {
        logger.error({ error }, 'the product did not close cleanly');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(0));

  const isClosing = () => closing !== undefined;
  const onLoss = (reason: Error) => {
    if (isClosing()) return;
    logger.fatal({ error: reason }, 'a part of the product ended by itself');
    leave(1);
  };
  opening = open(settings, logger, closers, isClosing, onLoss);
  opening.catch((error: unknown) => {
    if (isClosing()) return;
    process.stderr.write(`\nLectern did not start.\n${explain(error, settings)}\n\n`);
    logger.debug({ error }, 'the start failed');
    leave(1);
  });
}

/**
 * Opens part after part, and tells when all are.
 * @param closers gets what closes each part that is open
 * @param isClosing asked before each part: then no further one is opened
 */
async function open(
  settings: Settings,
  logger: Logger,
  closers: (() => Promise<void>)[],
  isClosing: () => boolean,
  onLoss: (reason: Error) => void,
): Promise<void> {
  const installation = await openInstallation(settings, logger, onLoss);
  closers.push(() => installation.close());
  if (isClosing()) return;
  const resolved = installation.settings;
  await migrate(resolved.DATABASE_URL);

  const isDemo = installation.isEmbedded && settings.DEMO !== 'off';
  if (isDemo && !isClosing()) await seedDemo(resolved.DATABASE_URL, logger);
  if (isClosing()) return;

  let mailbox: Mailbox | undefined;
  if (resolved.SMTP_URL === undefined) {
    mailbox = await startMailbox({ folder: join(resolve(settings.DATA_DIR), 'mailbox') });
    closers.push(() => mailbox?.stop() ?? Promise.resolve());
  }
  const addressed = { ...resolved, SMTP_URL: resolved.SMTP_URL ?? mailbox?.smtpUrl };

  const projections = await startProjections(resolved, logger);
  closers.push(() => projections.close());
  if (isClosing()) return;
  const server = await startServer(addressed, { logger, ...(mailbox && { pages: mailbox.router }) });
  closers.push(() => server.close());
  if (isClosing()) return;
  // The port is the one that it has: the setting may have left the choice to the system.
  installation.tellAddress(publicUrl({ ...resolved, PORT: Number(new URL(server.url).port) }));
  process.stdout.write(
    banner({ url: server.url, settings: resolved, isDemo, hasMailbox: mailbox !== undefined }),
  );
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
  start(readSettings({ LOG_LEVEL: 'warn', ...process.env }));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
