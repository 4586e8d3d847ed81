import * as m from '#words/messages.js';
import { disabledForPublic } from '#platform/exposure.js';
import { prepareData } from '#platform/prepare-data.js';
import { runProcess } from '#platform/run-process.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { maxClosing } from './closing-times.js';
import { startServer } from './create-server.js';

/** The server alone, against the addresses in the environment. */
runProcess({
  name: 'the server',
  title: m.start_server,
  readSettings: () => requireAddresses(readSettings()),
  maxClosing,
  open: async (process, settings, logger) => {
    await process.atTerminal(() => prepareData(settings, logger));
    const off = disabledForPublic(settings, { isEmbedded: false });
    const server = await startServer(settings, { logger });
    process.opened(() => server.close());
    logger.info({ url: server.url, ...(off.length > 0 && { off }) }, 'the server listens');
  },
});
