import * as m from '#words/messages.js';
import type { Logger } from '#platform/logging.js';
import { runProcess, type OpeningProcess } from '#platform/run-process.js';
import { readSettings, type Settings } from '#platform/settings.js';
import { maxClosing } from '../server/closing-times.js';
import { openInstallation } from './installation.js';
import { logPhase } from './log-phase.js';

/** The whole product in one process: `npm start`. */
runProcess({
  name: 'Lectern',
  title: m.start_lectern,
  // Somebody's terminal shows troubles alone; a public installation records, at `info`, who signed in and what was refused.
  readSettings: () =>
    readSettings({
      ...(process.env['NODE_ENV'] !== 'production' && { LOG_LEVEL: 'warn' }),
      ...process.env,
    }),
  maxClosing,
  explain,
  open,
});

/** Opens part after part, and tells when all are. */
async function open(parts: OpeningProcess, settings: Settings, logger: Logger): Promise<void> {
  logPhase(logger, 'the settings are read');
  // PostgreSQL and the event store are processors' work elsewhere, most of the rest is loading modules here: it is not
  // imported above, so that these begin first.
  let load: () => void = () => undefined;
  const loaded = new Promise<void>((resolve) => (load = resolve)).then(async () => {
    const { openLibrary } = await import('./open-library.js');
    logPhase(logger, 'the modules are loaded');
    return openLibrary;
  });
  loaded.catch(() => undefined);
  const installation = await parts.atTerminal(() =>
    openInstallation(settings, logger, { onLoss: (reason) => parts.lost(reason), onLaunched: load }),
  );
  parts.opened(() => installation.close());
  logPhase(logger, 'PostgreSQL and the event store run');
  const openLibrary = await loaded;
  process.stdout.write(await openLibrary(parts, installation, logger));
}

/** A sentence that a person at a terminal can act on. */
function explain(error: unknown, settings: Settings): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return m.start_port_taken({ port: settings.PORT, host: settings.HOST });
  if (code === 'EACCES' && /listen/.test(message)) return m.start_port_rights({ port: settings.PORT });
  return message ?? String(error);
}
