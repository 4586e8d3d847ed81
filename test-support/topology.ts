import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '#platform/database/migrate.js';
import { createLogger } from '#platform/logging.js';
import { seedDemo } from '../embedded/demo/seed-demo.js';
import { startPostgres } from '../embedded/postgres/postgres-server.js';
import { freePort } from './free-port.js';
import { openLetterBox, type LetterBox } from './letter-box.js';
import { OwnProcess } from './own-process.js';
import { REDIS_INSTALLED, startKeepingRedis, type RedisServer } from './redis.js';
import { startProxy, type RoundRobinProxy } from './round-robin-proxy.js';
import { temporaryFolder } from './temporary-folder.mjs';

const ENTRIES = {
  server: 'dist/server/main.js',
  projections: 'dist/projections/main.js',
  worker: 'dist/server/worker.js',
} as const;

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
  private eventsDatabaseUrl = '';
  private eventStore: OwnProcess | undefined;
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
   */
  static async start(environment: NodeJS.ProcessEnv): Promise<Topology> {
    const topology = new Topology();
    try {
      await topology.startServices(environment);
      await topology.startParts();
      return topology;
    } catch (error) {
      await topology.stop();
      throw error;
    }
  }

  private async startServices(environment: NodeJS.ProcessEnv): Promise<void> {
    const folder = temporaryFolder();
    this.closers.push(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
    const postgres = await startPostgres(join(folder, 'postgres'), { max_connections: '300' });
    this.closers.push(() => postgres.stop());
    await postgres.createDatabase('lectern');
    await postgres.createDatabase('events');
    this.databaseUrl = postgres.url('lectern');
    const redis = REDIS_INSTALLED ? await startKeepingRedis() : undefined;
    if (redis) this.closers.push(() => redis.stop());
    this.redis = redis;
    this.letterBox = await openLetterBox();
    this.closers.push(() => this.letterBox.close());
    this.eventsDatabaseUrl = postgres.url('events');
    this.eventStoreUrl = await this.startEventStore(await freePort());
    this.environment = {
      DATABASE_URL: this.databaseUrl,
      EVENTSTORE_URL: this.eventStoreUrl,
      ...(redis && { REDIS_URL: redis.url }),
      SMTP_URL: this.letterBox.url,
      JWT_SECRET: this.secret,
      LOG_LEVEL: 'info',
      ...environment,
    };
    await migrate(this.databaseUrl);
    await seedDemo(this.databaseUrl, createLogger('silent'));
  }

  private async startEventStore(port: number): Promise<string> {
    const store = OwnProcess.start('the event store', 'test-support/event-store-process.mjs', {
      DATABASE_URL: this.eventsDatabaseUrl,
      PORT: String(port),
    });
    this.eventStore = store;
    this.closers.push(() => store.kill());
    return store.until(async () => /^esdb:\S+/m.exec(store.output)?.[0]);
  }

  /** Ends the event store as `kill -9` does. */
  async killEventStore(): Promise<void> {
    await this.eventStore?.kill();
  }

  /** Starts it once more, at its address. */
  async restartEventStore(): Promise<void> {
    await this.startEventStore(Number(/:(\d+)\?/.exec(this.eventStoreUrl)?.[1]));
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
  async startPart(
    app: keyof typeof ENTRIES,
    environment: NodeJS.ProcessEnv = {},
    at?: string,
  ): Promise<Part> {
    const port = at === undefined ? String(await freePort()) : new URL(at).port;
    const url = `http://127.0.0.1:${port}`;
    const process = OwnProcess.start(app, ENTRIES[app], {
      ...this.environment,
      ...(app === 'server' ? { PORT: port, PUBLIC_URL: this.proxy?.url ?? '' } : { OPERATIONS_PORT: port }),
      ...environment,
    });
    this.closers.push(() => process.kill());
    await process.until(async () => (await fetch(`${url}/readyz`)).status === 200);
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
