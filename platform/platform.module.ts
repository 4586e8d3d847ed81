import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock, SystemClock } from './clock.js';
import { openDataSource } from './database/data-source.js';
import { openDatabase, type Database } from './database/database.js';
import { ReadModelSchema } from './database/read-model-schema.js';
import { Notifications } from './database/notifications.js';
import { EventLog } from './event-log/event-log.js';
import { LogIdentity } from './event-log/log-identity.js';
import { SharedLogLock } from './event-log/log-lock.js';
import { openEventStore } from './event-log/open-event-store.js';
import type { ResilientEventStoreClient } from './event-log/resilient-event-store-client.js';
import { LibraryFacts } from './library-facts.js';
import { LibraryTimeZone } from './library-time-zone.js';
import type { Logger } from './logging.js';
import { Metrics } from './operations/metrics.js';
import { PartProbes } from './operations/probes.js';
import type { ResolvedSettings } from './settings.js';
import { DATABASE, EVENT_STORE, LOGGER, SETTINGS } from './tokens.js';

const POOL_SIZE = 16;
/** Milliseconds for a statement of a job, far above the longest: without it, one over a connection lost without a word waits for ever. */
const TIMEOUT = 120_000;

/** What every part of an app may have injected: settings, log, clock, database (by SQL and by entities), event log, notifications. */
@Module({})
export class PlatformModule implements OnApplicationShutdown {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(EVENT_STORE) private readonly eventStore: ResilientEventStoreClient,
    private readonly notifications: Notifications,
    private readonly logUse: SharedLogLock,
  ) {}

  static with(settings: ResolvedSettings, logger: Logger, clock: Clock = new SystemClock()): DynamicModule {
    return {
      module: PlatformModule,
      global: true,
      providers: [
        { provide: SETTINGS, useValue: settings },
        { provide: LOGGER, useValue: logger },
        { provide: Clock, useValue: clock },
        { provide: Metrics, useFactory: () => new Metrics() },
        { provide: PartProbes, useFactory: () => new PartProbes() },
        {
          provide: DATABASE,
          useFactory: () => openDatabase(settings.DATABASE_URL, POOL_SIZE, logger, TIMEOUT),
        },
        { provide: DataSource, useFactory: openDataSource, inject: [DATABASE] },
        {
          provide: EVENT_STORE,
          useFactory: (identity: LogIdentity) =>
            openEventStore(
              settings.EVENTSTORE_URL,
              identity.prove,
              logger,
              settings.eventsInDatabase === true,
            ),
          inject: [LogIdentity],
        },
        {
          provide: ReadModelSchema,
          useFactory: (database: Database) => new ReadModelSchema(database, settings.readModel),
          inject: [DATABASE],
        },
        {
          provide: EventLog,
          useFactory: (client: ResilientEventStoreClient, schema: ReadModelSchema, use: SharedLogLock) => {
            const mayAppend = async () => {
              await use.confirm();
              await schema.toRead();
            };
            return new EventLog(client, mayAppend);
          },
          inject: [EVENT_STORE, ReadModelSchema, SharedLogLock],
        },
        {
          provide: LogIdentity,
          useFactory: (schema: ReadModelSchema, database: Database) => new LogIdentity(database, schema),
          inject: [ReadModelSchema, DATABASE],
        },
        {
          provide: SharedLogLock,
          useFactory: async (client: ResilientEventStoreClient) => {
            const use = new SharedLogLock(settings.DATABASE_URL, () => client.doubt());
            await use.begin();
            return use;
          },
          inject: [EVENT_STORE],
        },
        {
          provide: Notifications,
          useFactory: async () => {
            const notifications = new Notifications(settings.DATABASE_URL, logger);
            await notifications.start();
            return notifications;
          },
        },
        {
          provide: LibraryTimeZone,
          useFactory: (database: Database, notifications: Notifications) =>
            LibraryTimeZone.open(settings, database, notifications, logger),
          inject: [DATABASE, Notifications],
        },
        {
          provide: LibraryFacts,
          useFactory: (database: Database, notifications: Notifications) =>
            LibraryFacts.open(settings, database, notifications, logger),
          inject: [DATABASE, Notifications],
        },
      ],
      exports: [
        SETTINGS,
        LOGGER,
        Clock,
        Metrics,
        PartProbes,
        DATABASE,
        DataSource,
        EVENT_STORE,
        ReadModelSchema,
        LogIdentity,
        EventLog,
        Notifications,
        LibraryTimeZone,
        LibraryFacts,
      ],
    };
  }

  /** Modules are shut down in the reverse of their order of import: the platform is last. */
  async onApplicationShutdown(): Promise<void> {
    await this.notifications.stop();
    await this.eventStore.dispose();
    await this.logUse.release();
    await this.dataSource.destroy();
  }
}
