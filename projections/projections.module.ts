import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { EventLog } from '#platform/event-log/event-log.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { PlatformModule } from '#platform/platform.module.js';
import { LibraryRulesModule } from '#rules/library-rules.module.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import type { FollowerServices } from './follower.js';
import { LetterReactor } from './letters/letter-reactor.js';
import { Projector } from './projector.js';

const SERVICES = Symbol('what followers stand on');

/** The followers of the event log: the projection to the read model, and the reactor that requests letters. */
@Module({
  providers: [
    {
      provide: SERVICES,
      useFactory: (
        { DATABASE_URL }: ResolvedSettings,
        database: Database,
        log: EventLog,
        logger: Logger,
      ): FollowerServices => ({ databaseUrl: DATABASE_URL, database, log, logger }),
      inject: [SETTINGS, DATABASE, EventLog, LOGGER],
    },
    {
      provide: Projector,
      useFactory: (services: FollowerServices, { readModel }: ResolvedSettings) =>
        new Projector(services, undefined, readModel),
      inject: [SERVICES, SETTINGS],
    },
    {
      provide: LetterReactor,
      useFactory: (services: FollowerServices, { VISIT_QUIET_SECONDS }: ResolvedSettings) =>
        new LetterReactor(services, undefined, VISIT_QUIET_SECONDS),
      inject: [SERVICES, SETTINGS],
    },
  ],
})
export class ProjectionsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Projector) private readonly projector: Projector,
    @Inject(LetterReactor) private readonly letters: LetterReactor,
  ) {}

  static with(settings: ResolvedSettings, logger: Logger): DynamicModule {
    const platform = PlatformModule.with(settings, logger);
    return { module: ProjectionsModule, imports: [platform, LibraryRulesModule] };
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all([this.projector.start(), this.letters.start()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.projector.stop(), this.letters.stop()]);
  }
}
