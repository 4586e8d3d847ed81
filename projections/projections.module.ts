import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { BorrowLog } from '#platform/event-log/borrow-log.js';
import type { Database } from '#platform/database/database.js';
import type { Logger } from '#platform/logging.js';
import { PlatformModule } from '#platform/platform.module.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, LOGGER, SETTINGS } from '#platform/tokens.js';
import { LetterReactor } from './letters/letter-reactor.js';
import { Projector } from './projector.js';

/** What follows the event log: the projection to the read model, and the clerk who asks for letters. */
@Module({
  providers: [
    {
      provide: Projector,
      useFactory: (settings: ResolvedSettings, log: BorrowLog, logger: Logger) =>
        new Projector(settings.DATABASE_URL, log, logger),
      inject: [SETTINGS, BorrowLog, LOGGER],
    },
    {
      provide: LetterReactor,
      useFactory: (settings: ResolvedSettings, database: Database, log: BorrowLog, logger: Logger) =>
        new LetterReactor(settings.DATABASE_URL, database, log, logger),
      inject: [SETTINGS, DATABASE, BorrowLog, LOGGER],
    },
  ],
})
export class ProjectionsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(Projector) private readonly projector: Projector,
    @Inject(LetterReactor) private readonly clerk: LetterReactor,
  ) {}

  static with(settings: ResolvedSettings, logger: Logger): DynamicModule {
    return { module: ProjectionsModule, imports: [PlatformModule.with(settings, logger)] };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.projector.start();
    await this.clerk.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.projector.stop(), this.clerk.stop()]);
  }
}
