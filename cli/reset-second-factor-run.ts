import { randomUUID } from 'node:crypto';
import { inTransaction } from '#platform/database/database.js';
import { readSettings } from '#platform/settings.js';
import { resetSecondFactor } from '../server/accounts/second-factor/second-factor-changes.js';
import { accountNamed } from './account-named.js';
import { withDataSource } from './catalogue-database.js';
import { refuseNoLibrary } from './event-log-services.js';

export async function run(name: string): Promise<void> {
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
