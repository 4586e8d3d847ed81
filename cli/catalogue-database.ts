import type { DataSource } from 'typeorm';
import { readCurrencyBy } from '#contracts/currency.js';
import { migrate } from '#platform/database/migrate.js';
import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { storedFacts } from '#platform/library-facts.js';
import { createLogger } from '#platform/logging.js';
import type { Settings } from '#platform/settings.js';
import { withInstallation } from '../embedded/installation.js';

/**
 * Gives a command line the catalogue's database, brought to the present schema: the one that DATABASE_URL names,
 * else the embedded one, shared with a running product where there is one.
 */
export async function withCatalogueDatabase<Result>(
  settings: Settings,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const logger = createLogger('warn');
  const use = async (url: string): Promise<Result> => {
    await migrate(url);
    const database = openDatabase(url, 4, logger);
    try {
      const { facts } = await storedFacts(database);
      readCurrencyBy(() => facts.currency);
      return await work(database);
    } finally {
      await database.end();
    }
  };
  if (settings.DATABASE_URL !== undefined) return use(settings.DATABASE_URL);
  // No token is signed or verified here, so no secret is needed.
  const withoutSecret = { ...settings, JWT_SECRET: settings.JWT_SECRET ?? '-' };
  return withInstallation(withoutSecret, logger, ({ DATABASE_URL }) => use(DATABASE_URL));
}

/** As `withCatalogueDatabase`, for work on entities. */
export function withDataSource<Result>(
  settings: Settings,
  work: (source: DataSource) => Promise<Result>,
): Promise<Result> {
  return withCatalogueDatabase(settings, async (database) => work(await openDataSource(database)));
}
