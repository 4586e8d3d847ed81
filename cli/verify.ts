import { commandLine, EXIT } from './command-line.js';

/** Differences that are printed without --all. */
const MAX_PRINTED = 50;

const HELP = `
Reads the whole event log, works out what every borrow, count, held copy and number of copies on the shelf has to
be, and compares that with the database as of one moment. It changes nothing and holds nobody up: the product may be
running. Where it does not run, the services it needs are started for as long as this takes.

Events that were skipped are told with the decision. Where the lists or the letters have stopped, the event is named
at which they did: nothing behind it is compared.

Exit code: 0 when everything agrees, 1 when there are differences or something has stopped, 2 when the comparison could not be made.`;

await commandLine(
  'verify',
  'Compares the lists of borrows and the copies of books with the event log.',
  EXIT.couldNotRun,
)
  .option('--all', `print every difference, not only the first ${MAX_PRINTED}`)
  .run(HELP, async () => {
    const { run } = await import('./verify-run.js');
    return { run: ({ all }: { all?: true }) => run(all ? Infinity : MAX_PRINTED) };
  });
