import { SystemClock } from '#platform/clock.js';
import { openDatabase } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { seedDemoAccounts } from './demo-accounts.js';
import { seedDemoCatalogue } from './seed-catalogue.js';

/** Puts the demo's accounts and catalogue in, where they are not there yet. */
export async function seedDemo(databaseUrl: string, logger: Logger): Promise<void> {
  const database = openDatabase(databaseUrl, 2, logger);
  try {
    await seedDemoAccounts(database, new SystemClock());
    await seedDemoCatalogue(database);
  } finally {
    await database.end();
  }
}
