import * as m from '#words/messages.js';
import { commandLine, EXIT } from './command-line.js';

await commandLine('backup', EXIT.couldNotRun, (command) =>
  command
    .description(m.cli_backup_does())
    .argument('<folder>', m.cli_backup_folder())
    .option('--encrypt', m.cli_backup_encrypt())
    .option('--recipient <key>', m.cli_backup_recipient(), (key: string, others: string[] = []) => [
      ...others,
      key,
    ])
    .option('--without-mailbox', m.cli_backup_without_mailbox())
    .run(m.cli_backup_help(), () => import('./backup-run.js')),
);
