import { resolve } from 'node:path';
import { z } from 'zod';
import { SystemClock } from '#platform/clock.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { isDemoAidOn, publicExposure } from '#platform/exposure.js';
import type { Logger } from '#platform/logging.js';
import type { ResolvedSettings } from '#platform/settings.js';
import {
  seedDemoAccounts,
  replaceDemoPasswords,
  ownDemoPassword,
  type DemoPassword,
} from './demo-accounts.js';
import { seedDemoCatalogue } from '../../server/catalogue/demo-catalogue.js';

const anybody = z.object({ one: z.int() });

/** The demo of a start. */
export interface Demo {
  isOn: boolean;
  /** Where strangers come; elsewhere the passwords are the published ones. */
  own?: DemoPassword;
  /** Accounts that had a published password until this start, which closed them. */
  closed: string[];
  /** Nobody has one yet: the installation is to be set up. */
  hasNoAccount: boolean;
}

/** Opens the demo of a data folder, or closes what an earlier start left of it. */
export async function openDemo(settings: ResolvedSettings, logger: Logger): Promise<Demo> {
  const dataDir = resolve(settings.DATA_DIR);
  const isPublic = publicExposure(settings) !== undefined;
  const isDemo = isDemoAidOn('DEMO', settings);
  const own = isDemo && isPublic ? ownDemoPassword(dataDir) : undefined;
  return withDatabase(settings.DATABASE_URL, logger, async (database) => {
    const exchanged = await replaceDemoPasswords(database, { dataDir, isPublic });
    if (isDemo) await seed(database, own?.password);
    const hasNoAccount =
      (await queryRow(database, anybody, 'select 1 as one from account limit 1')) === undefined;
    return { isOn: isDemo, ...(own && { own }), closed: isDemo ? [] : exchanged, hasNoAccount };
  });
}

/** Puts the demo's accounts and catalogue in, where they are not there yet. */
export async function seedDemo(databaseUrl: string, logger: Logger): Promise<void> {
  await withDatabase(databaseUrl, logger, (database) => seed(database));
}

async function seed(database: Database, password?: string): Promise<void> {
  await seedDemoAccounts(database, new SystemClock(), password);
  await seedDemoCatalogue(database);
}

async function withDatabase<Result>(
  url: string,
  logger: Logger,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(url, 2, logger);
  try {
    return await work(database);
  } finally {
    await database.end();
  }
}
