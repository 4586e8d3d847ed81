import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { Jobs } from '#platform/jobs/jobs.js';
import {
  eventStoreProbe,
  measureNotifications,
  notificationsProbe,
  readiness,
  type Probe,
} from '#platform/operations/probes.js';
import { Metrics } from '#platform/operations/metrics.js';
import { openOperationsPort, type RunningOperations } from '#platform/operations/operations-port.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { StatusHeartbeat } from './system-status/status-heartbeat.js';
import { jobsProbe, mailServerProbe, measureJobs } from './job-measurements.js';

/** The health of a worker that runs alone. */
@Injectable()
export class WorkerOperations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly mailServer: Probe;
  private closing = false;

  constructor(
    @Inject(SETTINGS) settings: ResolvedSettings,
    @Inject(DATABASE) private readonly database: Database,
    private readonly log: EventLog,
    private readonly jobs: Jobs,
    private readonly metrics: Metrics,
    private readonly notifications: Notifications,
    private readonly heartbeat: StatusHeartbeat,
  ) {
    this.mailServer = mailServerProbe(settings);
  }

  onApplicationBootstrap(): void {
    this.heartbeat.start('worker', () => this.probes());
  }

  async onModuleDestroy(): Promise<void> {
    await this.heartbeat.stop();
  }

  /** @param port 0 for any free one */
  open(host: string, port: number): Promise<RunningOperations> {
    measureNotifications(this.metrics, this.notifications);
    measureJobs(this.metrics, this.jobs, this.database);
    const ready = async () =>
      this.closing ? { status: 'closing' as const, checks: {} } : readiness(this.probes());
    return openOperationsPort({ metrics: this.metrics, ready }, host, port);
  }

  beginClosing(): void {
    this.closing = true;
  }

  private probes(): Probe[] {
    return [
      {
        name: 'database',
        required: true,
        check: async () => void (await this.database.query('select 1')),
      },
      jobsProbe(this.jobs, true),
      this.mailServer,
      // Without notifications, it still polls the outbox.
      notificationsProbe(this.notifications),
      // Letters go out without it; the sweep of borrows is retried.
      eventStoreProbe(false, async () => void (await this.log.end())),
    ];
  }
}
