import { Global, Module, type DynamicModule, type INestApplication, type Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import { Clock } from '#platform/clock.js';
import { openDataSource } from '#platform/database/data-source.js';
import { openDatabase, type Database } from '#platform/database/database.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Notifications } from '#platform/database/notifications.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { createLogger, NestLog } from '#platform/logging.js';
import { readSettings, type ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { correlation } from '../server/http/correlation.js';
import { ProblemFilter } from '../server/http/problem.filter.js';
import { ReadYourWritesModule } from '../server/http/read-your-writes.js';
import { SecurityLog } from '../server/http/security-log.js';
import { TestClock } from './test-clock.js';

export interface TestServer {
  app: INestApplication;
  database: Database;
  /** Entities over the same connections. */
  dataSource: DataSource;
  clock: TestClock;
  /** Everything that was logged, down to `trace`. */
  log: string[];
  /** Makes a call below `/api/`. */
  call(method: string, path: string, options?: CallOptions): Promise<TestAnswer>;
  stop(): Promise<void>;
}

interface CallOptions {
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

@Global()
@Module({})
class TestPlatformModule {}

/**
 * Starts modules of the server as the app does, on a free port of loopback.
 * @param databaseUrl a migrated database
 * @param environment further settings, as environment variables
 */
export async function startTestServer(
  databaseUrl: string,
  modules: (Type | DynamicModule)[],
  environment: NodeJS.ProcessEnv = {},
): Promise<TestServer> {
  const settings = readSettings({
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
    JWT_SECRET: 'only-for-tests-only-for-tests-only-for-tests',
    ...environment,
  }) as ResolvedSettings;
  const log: string[] = [];
  const logger = createLogger('trace', { write: (line) => void log.push(line) });
  const database = openDatabase(databaseUrl, 10, logger);
  const dataSource = await openDataSource(database);
  const notifications = new Notifications(databaseUrl, logger);
  const clock = new TestClock();
  await notifications.start();
  const timeZone = await LibraryTimeZone.open(settings, database, notifications, logger);
  const facts = await LibraryFacts.open(settings, database, notifications, logger);
  const platform: DynamicModule = {
    module: TestPlatformModule,
    providers: [
      { provide: SETTINGS, useValue: settings },
      { provide: LOGGER, useValue: logger },
      { provide: DATABASE, useValue: database },
      { provide: ReadModelSchema, useValue: new ReadModelSchema(database) },
      { provide: DataSource, useValue: dataSource },
      { provide: Clock, useValue: clock },
      { provide: Notifications, useValue: notifications },
      { provide: LibraryTimeZone, useValue: timeZone },
      { provide: LibraryFacts, useValue: facts },
      // There is no log: nothing is appended, and nothing is waited for.
      { provide: EventLog, useValue: { appended: -1n, last: async () => undefined } },
      SecurityLog,
    ],
    exports: [
      ...[SETTINGS, LOGGER, DATABASE, ReadModelSchema, DataSource, Clock, Notifications, LibraryTimeZone],
      ...[EventLog, LibraryFacts],
    ],
  };
  const testing = await Test.createTestingModule({
    imports: [platform, ReadYourWritesModule, ...modules],
  }).compile();
  const app = testing.createNestApplication({ logger: new NestLog(logger) });
  app.use(correlation);
  app.setGlobalPrefix('api');
  app.useGlobalFilters(new ProblemFilter(logger, app.get(SecurityLog)));
  await app.listen(0, '127.0.0.1');
  const origin = await app.getUrl();

  return {
    app,
    database,
    dataSource,
    clock,
    log,
    async call(method, path, { body, token, headers = {} } = {}) {
      const response = await fetch(`${origin}/api/${path}`, {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    },
    async stop() {
      await app.close();
      await notifications.stop();
      await dataSource.destroy();
    },
  };
}
