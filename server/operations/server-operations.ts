import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { PROJECTED } from '#contracts/event-log/categories.js';
import type { Database } from '#platform/database/database.js';
import { Notifications } from '#platform/database/notifications.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { EventLog } from '#platform/event-log/event-log.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { Metrics } from '#platform/operations/metrics.js';
import {
  operatorCheck,
  openOperationsPort,
  operationsRouter,
  type Operations,
  type RunningOperations,
} from '#platform/operations/operations-port.js';
import {
  FollowerLag,
  FOLLOWERS,
  failingFollowers,
  type FollowerName,
} from '#platform/operations/follower-states.js';
import {
  eventStoreProbe,
  measureNotifications,
  notificationsProbe,
  readiness,
  type Probe,
  type Readiness,
} from '#platform/operations/probes.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { LiveGateway } from '../live/live.gateway.js';
import { StatusHeartbeat } from './system-status/status-heartbeat.js';
import { storedParts } from './system-status/part-rows.js';
import { jobsProbe, mailServerProbe, measureJobs } from './job-measurements.js';

/** Lag in seconds from which the lists count as stale. */
const MAX_LAG = 30;
/** A reader who does not exist: a cheap query of the log. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The server's health and metrics for operators. */
@Injectable()
export class ServerOperations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lag: FollowerLag;
  private readonly lettersLag: FollowerLag;
  private readonly mailServer: Probe;
  private closing = false;

  constructor(
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
    @Inject(DATABASE) private readonly database: Database,
    schema: ReadModelSchema,
    private readonly log: EventLog,
    private readonly jobs: Jobs,
    private readonly live: LiveGateway,
    private readonly metrics: Metrics,
    private readonly notifications: Notifications,
    private readonly heartbeat: StatusHeartbeat,
  ) {
    this.mailServer = mailServerProbe(settings);
    this.lag = new FollowerLag(database, log, () => schema.toRead(), PROJECTED);
    this.lettersLag = new FollowerLag(database, log, async () => 'letters');
    this.takeMeasurements();
  }

  onApplicationBootstrap(): void {
    this.heartbeat.start('server', () => this.probes());
  }

  async onModuleDestroy(): Promise<void> {
    await this.heartbeat.stop();
  }

  /** From here on no traffic should be routed to this process. */
  beginClosing(): void {
    this.closing = true;
  }

  /** Opens the port for operators, if one is set. */
  async openPort(): Promise<RunningOperations | undefined> {
    const { HOST, OPERATIONS_PORT } = this.settings;
    return OPERATIONS_PORT === undefined
      ? undefined
      : openOperationsPort(this.operations, HOST, OPERATIONS_PORT);
  }

  private get operations(): Operations {
    return { metrics: this.metrics, ready: () => this.ready() };
  }

  /** For operators, and what measures calls. Not in a router of their own: that would cost each call a turn of the event loop. */
  get handlers(): RequestHandler[] {
    return [operationsRouter(this.operations, operatorCheck(this.settings)), measureCalls(this.metrics)];
  }

  private async ready(): Promise<Readiness> {
    if (this.closing) return { status: 'closing', checks: {} };
    return readiness(this.probes());
  }

  private probes(): Probe[] {
    return [
      {
        name: 'database',
        required: true,
        check: async () => void (await this.database.query('select 1')),
      },
      // Lists work without it, so the server stays in service.
      eventStoreProbe(false, async () => void (await this.log.readStream('borrows', NOBODY))),
      {
        name: 'projection',
        required: false,
        check: async () => {
          const trouble = await this.troubleOf('projection');
          const lagSeconds = await this.lag.seconds();
          return { lagSeconds, ...(trouble ?? { ok: lagSeconds <= MAX_LAG }) };
        },
      },
      { name: 'letters', required: false, check: () => this.troubleOf('letters') },
      // The outbox keeps the jobs in the meantime.
      jobsProbe(this.jobs, false),
      // Elsewhere a worker has it, and says so.
      ...(this.settings.JOBS === 'on' ? [this.mailServer] : []),
      notificationsProbe(this.notifications),
    ];
  }

  /** Why a follower makes no progress, in any process. */
  private async troubleOf(name: FollowerName) {
    const trouble = (await failingFollowers(this.database)).find((each) => each.name === name);
    return trouble && { ok: false, state: trouble.state };
  }

  private takeMeasurements(): void {
    const one = (value: number) => new Map([['', value]]);
    this.metrics.gauge('lectern_live_sockets', 'Browsers connected to this process.', '', async () =>
      one(this.live.connected),
    );
    this.metrics.gauge(
      'lectern_projection_lag_seconds',
      'Age of the oldest event that the read models do not have; 0 when they have all.',
      '',
      async () => one(await this.lag.seconds()),
    );
    this.metrics.gauge(
      'lectern_letters_lag_seconds',
      'Age of the oldest event whose letters were not asked for; 0 when there is none.',
      '',
      async () => one(await this.lettersLag.seconds()),
    );
    this.metrics.gauge(
      'lectern_follower_stopped',
      '1 where a follower of the event log cannot go on, in whatever process: a person has to look.',
      'follower',
      async () => {
        const troubles = await failingFollowers(this.database);
        const isStopped = (name: FollowerName) =>
          troubles.some((each) => each.name === name && each.state === 'stopped');
        return new Map(FOLLOWERS.map((name) => [name, isStopped(name) ? 1 : 0]));
      },
    );
    this.metrics.gauge(
      'lectern_part_red',
      '1 for a part of the installation that does not work, as the page System status shows it.',
      'part',
      async () => {
        const parts = [...(await storedParts(this.database))];
        return new Map(parts.map(([part, { level }]) => [part, level === 'bad' ? 1 : 0]));
      },
    );
    measureNotifications(this.metrics, this.notifications);
    measureJobs(this.metrics, this.jobs, this.database);
  }
}

/** Measures every call of the API by its route pattern, so that no id becomes a label. */
function measureCalls(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/api/')) return next();
    const began = process.hrtime.bigint();
    response.once('close', () => {
      const route: unknown = (request.route as { path?: unknown } | undefined)?.path;
      metrics.calls.observe(
        {
          method: request.method,
          route: typeof route === 'string' ? route : 'unknown',
          // The client disconnected before the response.
          status: response.writableFinished ? String(response.statusCode) : 'aborted',
        },
        Number(process.hrtime.bigint() - began) / 1e9,
      );
    });
    next();
  };
}
