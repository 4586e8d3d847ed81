import * as m from '#words/messages.js';
import { prepareData } from '#platform/prepare-data.js';
import { runProcess } from '#platform/run-process.js';
import { readSettings, requireAddresses } from '#platform/settings.js';
import { startProjections } from './start-projections.js';

/** The projections alone, against the addresses in the environment. */
runProcess({
  name: 'the projections',
  title: m.start_projections,
  readSettings: () => requireAddresses({ JWT_SECRET: '-', ...readSettings() }),
  maxClosing: () => 15_000,
  open: async (process, settings, logger) => {
    await process.atTerminal(() => prepareData(settings, logger));
    const projections = await startProjections(settings, logger);
    process.opened(() => projections.close());
    if (settings.OPERATIONS_PORT === undefined) return;
    const operations = await projections.operations(settings.HOST, settings.OPERATIONS_PORT);
    process.opened(() => operations.close());
  },
});
