import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { isDemoAidOn } from '#platform/exposure.js';
import { libraryName } from '#platform/library-facts.js';
import type { Logger } from '#platform/logging.js';
import { prepareData } from '#platform/prepare-data.js';
import { publicUrl } from '#platform/public-url.js';
import type { OpeningProcess } from '#platform/run-process.js';
import { startProjections } from '../projections/start-projections.js';
import { startServer } from '../server/create-server.js';
import { BackupSchedule } from './backup/schedule/backup-schedule.js';
import { banner } from './banner.js';
import { openDemo } from './demo/seed-demo.js';
import type { Installation } from './installation.js';
import { startMailbox } from './mailbox/mailbox.js';
import { logPhase } from './log-phase.js';

/** Opens part after part on an installation that runs. @returns what the person at the terminal is told */
export async function openLibrary(
  parts: OpeningProcess,
  installation: Installation,
  logger: Logger,
): Promise<string> {
  const { settings } = installation;
  await parts.atTerminal(() => prepareData(settings, logger));
  logPhase(logger, 'the data is prepared');
  const demo = installation.isEmbedded ? await openDemo(settings, logger) : undefined;

  const mailbox =
    settings.SMTP_URL === undefined && isDemoAidOn('MAILBOX', settings)
      ? await startMailbox({
          folder: join(resolve(settings.DATA_DIR), 'mailbox'),
          // Asked for by name, it is meant for more than this machine.
          fromElsewhere: settings.MAILBOX === 'on',
          library: libraryName(settings),
          settings,
        })
      : undefined;
  parts.opened(async () => mailbox?.stop());
  const addressed = { ...settings, SMTP_URL: settings.SMTP_URL ?? mailbox?.smtpUrl };

  logPhase(logger, 'demo and mailbox are open');
  const projections = await startProjections(settings, logger);
  parts.opened(() => projections.close());
  logPhase(logger, 'the projections run');
  const pages = mailbox && { pages: mailbox.router };
  // Shown at the terminal alone; another start has another one.
  const setUpCode = demo?.hasNoAccount === true ? randomBytes(24).toString('base64url') : undefined;
  const server = await startServer(addressed, { logger, setUpCode, ...pages });
  parts.opened(() => server.close());
  logPhase(logger, 'the server listens');
  if (installation.isEmbedded) {
    const backups = new BackupSchedule(settings, logger);
    parts.opened(() => backups.stop());
    await backups.start();
  }
  // The port is the one that it has: the setting may have left the choice to the system.
  installation.tellAddress(publicUrl({ ...settings, PORT: Number(new URL(server.url).port) }));
  const mailboxToken = mailbox?.token;
  return parts.atTerminal(() =>
    banner({ url: server.url, settings: addressed, demo, mailboxToken, setUpCode }),
  );
}
