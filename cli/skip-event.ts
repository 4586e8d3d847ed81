import { Option } from 'commander';
import { SKIP_CODES } from '#contracts/event-log/skipped-events.js';
import { commandLine, EXIT } from './command-line.js';

const HELP = `
An event that can be neither read nor applied stops the lists and the letters, and its reader cannot borrow. "npm run
verify", the log and the admin console name it. This records, in the event's own stream, that it is left out: nothing of
the event is changed or deleted. From then on lists, letters, commands, replay and exports go on without it; auditors see
the decision with its time, code and who decided. Those that stopped go on by themselves within seconds.

The password of the admin whose decision it is is asked for, on the terminal or by --password-stdin. An event that can be
applied is refused. First see whether a newer release can read it.
The product may be running. Where it does not run, the services it needs are started for as long as this takes.

Exit code: 0 when the event is skipped, 1 when it may not be or nobody confirmed, 2 when this could not be done.`;

await commandLine('skip-event', 'Skips one event that can be neither read nor applied.', EXIT.couldNotRun)
  .requiredOption('--stream <name>', 'the stream of the event, for instance borrows-…')
  .requiredOption('--revision <number>', 'its number in that stream')
  .addOption(new Option('--code <code>', 'why').choices(SKIP_CODES).makeOptionMandatory())
  .requiredOption('--reason <words>', 'why, in words; kept beside the event log')
  .requiredOption('--by <username>', 'the admin whose decision it is')
  .option('--password-stdin', 'read the password of that admin from standard input; needs --yes')
  .option('--yes', 'do not ask')
  .run(HELP, () => import('./skip-event-run.js'));
