import { randomUUID } from 'node:crypto';
import * as m from '#words/messages.js';
import { inTransaction } from '#platform/database/database.js';
import { readSettings } from '#platform/settings.js';
import { resetSecondFactor } from '../server/accounts/second-factor/second-factor-changes.js';
import { accountNamed } from './account-named.js';
import { withDataSource } from './catalogue-database.js';
import { refuseNoLibrary } from './event-log-services.js';

export async function run(name: string): Promise<void> {
  const settings = readSettings();
  refuseNoLibrary(settings, m.cli_set_data_dir_or_database());
  await withDataSource(settings, async (source) => {
    const { id, username } = await accountNamed(source.manager, name);
    await inTransaction(source, async (manager) => {
      if (!(await resetSecondFactor(manager, id, new Date(), randomUUID()))) {
        throw new Error(m.cli_no_second_factor({ name: username }));
      }
    });
    process.stdout.write(`${m.cli_second_factor_gone({ name: username })}\n`);
  });
}
