import { randomUUID } from 'node:crypto';
import { inTransaction } from '#platform/database/database.js';
import { readSettings } from '#platform/settings.js';
import { resetSecondFactor } from '../server/accounts/second-factor/second-factor-changes.js';
import { accountNamed } from './account-named.js';
import { withDataSource } from './catalogue-database.js';
import { commandLine } from './command-line.js';
import { refuseNoLibrary } from './event-log-services.js';

const HELP = `
For somebody who lost phone, passkeys and recovery codes. Code app, passkeys and recovery codes are taken off, all sessions
end, and the owner is told by letter: the password alone signs in again. With STAFF_MFA=required an admin or auditor then
adds a second factor before anything else. Be sure that it is the account's owner who asks.

The product may be running; DATABASE_URL is used where it is set.
Exit code: 0 when it is done, 1 when nothing was changed.`;

const command = commandLine('reset-second-factor', 'Takes the second factor off an account.', 1)
  .argument('<username>', 'or the e-mail address')
  .addHelpText('after', HELP)
  .action(run);

async function run(name: string): Promise<void> {
  const settings = readSettings();
  refuseNoLibrary(settings, 'Set DATA_DIR or DATABASE_URL.');
  await withDataSource(settings, async (source) => {
    const { id, username } = await accountNamed(source.manager, name);
    await inTransaction(source, async (manager) => {
      if (!(await resetSecondFactor(manager, id, new Date(), randomUUID()))) {
        throw new Error(`${username} has no second factor. Nothing was changed.`);
      }
    });
    process.stdout.write(`${username} has no second factor any more. All sessions have ended.\n`);
  });
}

try {
  await command.parseAsync();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
