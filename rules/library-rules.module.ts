import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Notifications } from '#platform/database/notifications.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import type { Logger } from '#platform/logging.js';
import { LOGGER } from '#platform/tokens.js';
import { LibraryRules } from './library-rules.js';

/** The rules in force, for every part of an app. Imported after the platform, so that it stops before. */
@Global()
@Module({
  providers: [
    {
      provide: LibraryRules,
      useFactory: async (
        timeZone: LibraryTimeZone,
        log: EventLog,
        notifications: Notifications,
        logger: Logger,
      ) => {
        const rules = new LibraryRules(timeZone, log, notifications, logger);
        await rules.start();
        return rules;
      },
      inject: [LibraryTimeZone, EventLog, Notifications, LOGGER],
    },
  ],
  exports: [LibraryRules],
})
export class LibraryRulesModule implements OnApplicationShutdown {
  constructor(private readonly rules: LibraryRules) {}

  onApplicationShutdown(): void {
    this.rules.stop();
  }
}
