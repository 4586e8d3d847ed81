import { commandLine, EXIT } from './command-line.js';

const HELP = `
The product may be running: it goes on with the present lists until the new ones are complete, then shows those.
Where it does not run, the services it needs are started for as long as this takes. After Ctrl-C the present lists
stay as they are.

With --adopt-log the lists are made of the event log at hand, although they were made of another one, or of more of it:
after an older backup of the log was restored, or with another EVENTSTORE_URL. What only the other log says is gone from
the lists; copies are out for what the log at hand says, and letters begin at its end. Lectern must not be running.

Exit code: 0 when the lists are the new ones, 2 when they could not be built.`;

await commandLine(
  'rebuild',
  'Builds every list, count and report of borrows anew from the event log.',
  EXIT.couldNotRun,
)
  .option('--adopt-log', 'make the lists of the event log at hand, although they were made of another one')
  .run(HELP, () => import('./rebuild-run.js'));
