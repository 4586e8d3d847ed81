import {
  Inject,
  Module,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { BorrowLog } from '#platform/event-log/borrow-log.js';
import type { Logger } from '#platform/logging.js';
import { PlatformModule } from '#platform/platform.module.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { LOGGER, SETTINGS } from '#platform/tokens.js';
import { Projector } from './projector.js';

/** The projections: event log to read models. */
@Module({
  providers: [
    {
      provide: Projector,
      useFactory: (settings: ResolvedSettings, log: BorrowLog, logger: Logger) =>
        new Projector(settings.DATABASE_URL, log, logger),
      inject: [SETTINGS, BorrowLog, LOGGER],
    },
  ],
})
export class ProjectionsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(@Inject(Projector) private readonly projector: Projector) {}

  static with(settings: ResolvedSettings, logger: Logger): DynamicModule {
    return { module: ProjectionsModule, imports: [PlatformModule.with(settings, logger)] };
  }

  onApplicationBootstrap(): void {
    this.projector.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.projector.stop();
  }
}
