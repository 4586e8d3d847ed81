import {
  Inject,
  Injectable,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { Database } from '../database/database.js';
import { Notifications } from '../database/notifications.js';
import type { Logger } from '../logging.js';
import type { ResolvedSettings } from '../settings.js';
import { DATABASE, LOGGER, SETTINGS } from '../tokens.js';
import { QUEUES, type QueueName } from './job-map.js';
import { Jobs, type JobOptions } from './jobs.js';
import { OutboxRelay } from './outbox.js';
import { queueBackend } from './queue-backend.js';

const WORKED_QUEUES = Symbol('worked queues');

/** Starts after every module has registered its handlers, and stops before their dependencies do. */
@Injectable()
class JobsLifecycle implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly jobs: Jobs,
    private readonly relay: OutboxRelay,
    @Inject(WORKED_QUEUES) private readonly queues: QueueName[],
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.start(this.queues);
    this.relay.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.relay.stop();
    await this.jobs.close();
  }
}

/** The job queues of an app. Register handlers in `onModuleInit`, by `Jobs.handle`. */
@Module({})
export class JobsModule {
  /**
   * @param queues that this app processes: it does not boot unless each of their jobs has a handler
   * @param options of this process; tests change them
   */
  static forRoot(queues: QueueName[] = QUEUES, options: JobOptions = {}): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      providers: [
        { provide: WORKED_QUEUES, useValue: queues },
        {
          provide: Jobs,
          inject: [SETTINGS, LOGGER],
          useFactory: async (settings: ResolvedSettings, logger: Logger) => {
            const backend = queueBackend(settings);
            await backend.prepare();
            return new Jobs(backend, logger, options);
          },
        },
        {
          provide: OutboxRelay,
          inject: [DATABASE, Notifications, Jobs, LOGGER],
          useFactory: (database: Database, notifications: Notifications, jobs: Jobs, logger: Logger) =>
            new OutboxRelay(database, notifications, jobs, logger),
        },
        JobsLifecycle,
      ],
      exports: [Jobs],
    };
  }
}
