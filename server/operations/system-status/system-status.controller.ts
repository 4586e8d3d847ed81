import * as m from '#words/messages.js';
import { randomUUID } from 'node:crypto';
import { Controller, Inject } from '@nestjs/common';
import { backUpNow, readHouse, type SystemStatusView } from '#contracts/dashboard/system-status.js';
import { DomainError } from '#contracts/domain-error.js';
import { Clock } from '#platform/clock.js';
import type { Database } from '#platform/database/database.js';
import { requestBackup } from '#platform/operations/backup-runs.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { Serves } from '../../http/serves.js';
import { SystemStatusQueries } from './system-status.queries.js';

@Controller()
export class SystemStatusController {
  constructor(
    private readonly clock: Clock,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    private readonly systemStatusQueries: SystemStatusQueries,
  ) {}

  @Serves(readHouse)
  state(): Promise<SystemStatusView> {
    return this.systemStatusQueries.find();
  }

  /** The process with the data folder makes it. */
  @Serves(backUpNow)
  async backUp(): Promise<{ asked: boolean }> {
    const { BACKUP_FOLDER, ownsDatabase, eventsInDatabase } = this.settings;
    if (BACKUP_FOLDER === undefined || !ownsDatabase || !eventsInDatabase) {
      throw new DomainError('BackupsNotSet', m.status_backups_not_made_here());
    }
    return { asked: await requestBackup(this.database, randomUUID(), this.clock.now()) };
  }
}
