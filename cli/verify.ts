import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

/** Differences that are printed without --all. */
const MAX_PRINTED = 50;

await commandLine('verify', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_verify_does())
    .option('--all', m.cli_verify_all({ most: MAX_PRINTED }))
    .run(m.cli_verify_help(), async () => {
      const { run } = await import('./verify-run.js');
      return { run: ({ all }: { all?: true }) => run(all ? Infinity : MAX_PRINTED) };
    }),
);
