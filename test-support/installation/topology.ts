import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { seedDemo } from '../../embedded/demo/seed-demo.js';
import { startPostgres, type PostgresServer } from '../../embedded/postgres/postgres-server.js';
import { EVENT_STORE_COMMAND, isOpen, launchByCommand } from '../event-store/event-store-command.js';
import { freePort } from './free-port.js';
import { openLetterBox, type LetterBox } from '../mail/letter-box.js';
import { OwnProcess } from './own-process.js';
import { signalPostgres } from '../database/postgres-processes.js';
import type { Site } from '../product/product.js';
import { REDIS_INSTALLED, startKeepingRedis, type RedisServer } from './redis.js';
import { startProxy, type RoundRobinProxy } from './round-robin-proxy.js';
import { temporaryFolder } from './temporary-folder.js';

const ENTRIES = {
  server: 'dist/server/main.js',
  projections: 'dist/projections/main.js',
  worker: 'dist/server/worker.js',
} as const;
export type App = keyof typeof ENTRIES;

/** One process of the product, and where it says how it is. */
export interface Part {
  process: OwnProcess;
  url: string;
}

interface Ready {
  status: string;
  checks: Record<string, { ok: boolean; state?: string }>;
}

/** The product as several processes: PostgreSQL, Redis, an event store, and any number of each app, behind a proxy. */
export class Topology {
  readonly servers: Part[] = [];
  readonly projections: Part[] = [];
  readonly secret = randomBytes(32).toString('hex');
  private readonly closers: (() => Promise<unknown>)[] = [];
  private environment: NodeJS.ProcessEnv = {};
  private readonly folder = temporaryFolder();
  private postgres!: PostgresServer;
  private eventsDatabaseUrl = '';
  eventStore: OwnProcess | undefined;
  databaseUrl = '';
  eventStoreUrl = '';
  /** Where the queues are, on a machine that has it. */
  redis: RedisServer | undefined;
  worker!: Part;
  letterBox!: LetterBox;
  proxy!: RoundRobinProxy;

  private constructor() {}

  /**
   * Starts all of it: two servers without jobs, two projections, a worker.
   * @param environment further settings of every part
   * @param letterBox the mail server, if not one of its own
   */
  static async start(environment: NodeJS.ProcessEnv, letterBox?: LetterBox): Promise<Topology> {
    const topology = new Topology();
    try {
      topology.letterBox = letterBox ?? (await openLetterBox());
      await topology.startServices(environment);
      await topology.startParts();
      return topology;
    } catch (error) {
      await topology.stop();
      throw error;
    }
  }

  /** Where it is, and what lies behind it. */
  get site(): Site & { eventStoreUrl: string } {
    const { databaseUrl, eventStoreUrl, secret } = this;
    return { url: this.proxy.url, databaseUrl, eventStoreUrl, secret };
  }

  private async startServices(environment: NodeJS.ProcessEnv): Promise<void> {
    this.closers.push(async () => rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 }));
    const postgres = await this.startPostgres();
    this.closers.push(() => this.postgres.stop());
    await postgres.createDatabase('lectern');
    await postgres.createDatabase('events');
    this.databaseUrl = postgres.url('lectern');
    const redis = REDIS_INSTALLED ? await startKeepingRedis() : undefined;
    if (redis) this.closers.push(() => redis.stop());
    this.redis = redis;
    this.closers.push(() => this.letterBox.close());
    this.eventsDatabaseUrl = postgres.url('events');
    this.eventStoreUrl = `esdb://127.0.0.1:${await freePort()}?tls=false`;
    await this.restartEventStore();
    this.environment = {
      DATABASE_URL: this.databaseUrl,
      EVENTSTORE_URL: this.eventStoreUrl,
      ...(redis && { REDIS_URL: redis.url }),
      SMTP_URL: this.letterBox.url,
      VISIT_QUIET_SECONDS: '2',
      JWT_SECRET: this.secret,
      LOG_LEVEL: 'info',
      ...environment,
    };
    await migrate(this.databaseUrl);
    await seedDemo(this.databaseUrl, createLogger('silent'));
  }

  private async startPostgres(): Promise<PostgresServer> {
    return (this.postgres = await startPostgres(join(this.folder, 'postgres'), { max_connections: '300' }));
  }

  /** Sends a signal to PostgreSQL, with all its children. */
  signalPostgres(signal: NodeJS.Signals): void {
    signalPostgres(this.folder, signal);
  }

  /** Starts PostgreSQL once more, at its address. Resolves when it takes connections. */
  async restartPostgres(): Promise<void> {
    await this.startPostgres();
  }

  /** Starts the event store at its address and does not wait. */
  launchEventStore(): OwnProcess {
    const { port } = new URL(this.eventStoreUrl.replace(/^esdb:/, 'http:'));
    const store =
      EVENT_STORE_COMMAND === undefined
        ? OwnProcess.start('the event store', 'test-support/event-store/event-store-process.mjs', {
            DATABASE_URL: this.eventsDatabaseUrl,
            PORT: port,
          })
        : launchByCommand(EVENT_STORE_COMMAND, port, join(this.folder, 'events'));
    this.closers.push(() => store.kill());
    return (this.eventStore = store);
  }

  /** Whether the event store can be read. */
  isEventStoreOpen(): Promise<boolean> {
    return isOpen(this.eventStoreUrl);
  }

  /** Ends the event store as `kill -9` does. */
  async killEventStore(): Promise<void> {
    await this.eventStore?.kill();
  }

  /** Starts it once more, at its address, and waits until it is open. */
  async restartEventStore(): Promise<void> {
    await this.launchEventStore().until(() => this.isEventStoreOpen());
  }

  private async startParts(): Promise<void> {
    const [first, second, leading, standingBy, worker] = await Promise.all([
      this.startPart('server', { JOBS: 'off' }),
      this.startPart('server', { JOBS: 'off' }),
      this.startPart('projections'),
      this.startPart('projections'),
      this.startPart('worker'),
    ]);
    this.servers.push(first, second);
    this.projections.push(leading, standingBy);
    this.worker = worker;
    this.proxy = await startProxy(this.servers.map(({ url }) => url));
    this.closers.push(() => this.proxy.close());
  }

  /** Starts a part and waits until it is ready. */
  async startPart(app: App, environment: NodeJS.ProcessEnv = {}, at?: string): Promise<Part> {
    const part = this.launch(app, environment, at ?? `http://127.0.0.1:${await freePort()}`);
    await part.process.until(async () => (await fetch(`${part.url}/readyz`)).status === 200);
    return part;
  }

  /** Starts a part and does not wait. */
  launch(app: App, environment: NodeJS.ProcessEnv, url: string): Part {
    const { port } = new URL(url);
    const process = OwnProcess.start(app, ENTRIES[app], {
      ...this.environment,
      ...(app === 'server' ? { PORT: port, PUBLIC_URL: this.proxy?.url ?? '' } : { OPERATIONS_PORT: port }),
      ...environment,
    });
    this.closers.push(() => process.kill());
    return { process, url };
  }

  /** Starts a server that has ended once more, at its address. */
  async restart(index: number): Promise<void> {
    const before = this.servers[index];
    if (before) this.servers[index] = await this.startPart('server', { JOBS: 'off' }, before.url);
  }

  /** The projections that apply events at the moment, of those that run. */
  async leader(): Promise<Part | undefined> {
    for (const part of this.projections) {
      if (!part.process.isRunning) continue;
      const { checks } = await ready(part);
      if (checks['projector']?.state === 'leading') return part;
    }
    return undefined;
  }

  async stop(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close().catch(() => undefined);
  }
}

/** What a part says of itself. */
export async function ready({ url }: Part): Promise<Ready> {
  return (await (await fetch(`${url}/readyz`)).json()) as Ready;
}
