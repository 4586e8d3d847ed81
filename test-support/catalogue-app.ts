import { Global, Module, type INestApplication } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { createLogger } from '#platform/logging.js';
import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { Clock, SystemClock } from '#platform/clock.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import type { NewBook } from '../server/catalogue/book-writer.js';
import { CatalogueCache } from '../server/catalogue/catalogue-cache.js';
import { CatalogueModule } from '../server/catalogue/catalogue.module.js';
import { ProblemFilter } from '../server/http/problem.filter.js';
import { ReadModelProgress } from '../server/read-models/read-model-progress.js';
import { SecurityLog } from '../server/http/security-log.js';
import { createTestDatabase } from './database.js';
import { addNewBooks } from './new-books.js';

/** The catalogue alone, over HTTP, on a database of its own. */
export interface CatalogueApp {
  database: Database;
  app: INestApplication;
  url: string;
  /** Adds books; what is not given is filled in. */
  add(...books: Partial<NewBook>[]): Promise<void>;
  /** `GET Book` with these parameters. */
  list(query: Record<string, string | number>): Promise<{
    items: { id: number; title: string; isbn: string; copiesAvailable: number }[];
    totalCount: number;
  }>;
  close(): Promise<void>;
}

export async function startCatalogueApp(): Promise<CatalogueApp> {
  const logger = createLogger(process.env['TEST_LOG'] ?? 'silent');
  const own = await createTestDatabase('migrated');
  const database = openDatabase(own.url, 10, logger);
  const dataSource = await openDataSource(database);
  const notifications = new Notifications(own.url, logger);
  await notifications.start();

  @Global()
  @Module({
    providers: [
      { provide: DATABASE, useValue: database },
      { provide: DataSource, useValue: dataSource },
      { provide: LOGGER, useValue: logger },
      { provide: Notifications, useValue: notifications },
      { provide: Clock, useClass: SystemClock },
      { provide: LibraryTimeZone, useValue: new LibraryTimeZone('Europe/Warsaw') },
      // Nothing is lent here: there are no rows to wait for.
      { provide: ReadModelProgress, useValue: { log: null, isAt: () => true } },
      { provide: SETTINGS, useValue: {} },
    ],
    exports: [
      ...[DATABASE, DataSource, LOGGER, Notifications, Clock, LibraryTimeZone],
      ...[ReadModelProgress, SETTINGS],
    ],
  })
  class Surroundings {}

  const module = await Test.createTestingModule({ imports: [Surroundings, CatalogueModule] }).compile();
  const app = module.createNestApplication();
  const securityLog = new SecurityLog({ JWT_SECRET: 'x'.repeat(32) }, logger, new Reflector());
  app.useGlobalFilters(new ProblemFilter(logger, securityLog));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();

  return {
    database,
    app,
    url,
    add: async (...books) => {
      await addNewBooks(database, books);
      // As every writer in this process does.
      app.get(CatalogueCache).changed('everything');
    },
    list: async (query) => {
      const parameters = new URLSearchParams();
      for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
      const response = await fetch(`${url}/Book?${parameters.toString()}`);
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Awaited<ReturnType<CatalogueApp['list']>>;
    },
    close: async () => {
      await app.close();
      await notifications.stop();
      await dataSource.destroy();
      await own.drop();
    },
  };
}
