import { Option } from 'commander';
import { SKIP_CODES } from '#contracts/event-log/skipped-events.js';
import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('skip-event', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_skip_event_does())
    .requiredOption('--stream <name>', m.cli_skip_stream())
    .requiredOption('--revision <number>', m.cli_skip_revision())
    .addOption(new Option('--code <code>', m.cli_skip_code()).choices(SKIP_CODES).makeOptionMandatory())
    .requiredOption('--reason <words>', m.cli_skip_reason())
    .requiredOption('--by <username>', m.cli_skip_by())
    .option('--password-stdin', m.cli_skip_password_stdin())
    .option('--yes', m.cli_skip_yes())
    .run(m.cli_skip_event_help(), () => import('./skip-event-run.js')),
);
