import {
  createPostgresBackend,
  createRedisBackend,
  Queue,
  runMigrations,
  Worker,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import pg from 'pg';
import { redisAddress, type RedisAddress, type RedisSettings } from './redis-address.js';
import { RedisConnections } from './redis-connections.js';

/** The schema of PostgreSQL, or the prefix of Redis, in which the queues are kept. */
const NAMESPACE = 'lectern_jobs';

/** Milliseconds after which a worker that lost Redis asks it again. */
const RETRY_MS = 2000;

/** Milliseconds in which a PostgreSQL that is in reach takes a connection. */
const ANSWER_MS = 1000;

/** Where the queues are kept. */
export interface QueueBackend {
  /** Brings the place to the shape that the queues need. Several processes may do so at once. */
  prepare(): Promise<void>;
  queue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): Queue;
  worker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): Worker;
  /** Whether the place answers. */
  inReach(): Promise<boolean>;
  /** Drops what connections are left. */
  disconnect(): void;
}

/** Redis where the installation has one, else the PostgreSQL that it has anyhow. */
export function queueBackend(settings: RedisSettings & { DATABASE_URL: string }): QueueBackend {
  const redis = redisAddress(settings);
  return redis ? redisBackend(redis) : postgresBackend(settings.DATABASE_URL);
}

function redisBackend(address: RedisAddress): QueueBackend {
  const connections = new RedisConnections(address, NAMESPACE);
  const { prefix } = connections;
  return {
    prepare: async () => undefined,
    queue: (name, options) =>
      new Queue(name, { ...options, prefix, connection: connections.open('queue') }, createRedisBackend),
    worker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, prefix, runRetryDelay: RETRY_MS, connection: connections.open('worker') },
        createRedisBackend,
      ),
    inReach: () => connections.inReach(),
    disconnect: () => connections.disconnect(),
  };
}

function postgresBackend(connectionString: string): QueueBackend {
  // Every queue and worker opens a pool of its own, and a worker one connection more to listen.
  const connection = (max: number) => ({ connectionString, max, schema: NAMESPACE });
  return {
    async prepare() {
      const client = new pg.Client({ connectionString });
      await client.connect();
      try {
        await runMigrations(client, NAMESPACE);
      } finally {
        await client.end();
      }
    },
    queue: (name, options) =>
      new Queue(name, { ...options, connection: connection(2) }, createPostgresBackend) as unknown as Queue,
    worker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, connection: connection(3) },
        createPostgresBackend,
      ) as unknown as Worker,
    inReach: () => answers(connectionString),
    // Queues and workers end their pools themselves, also when PostgreSQL is gone.
    disconnect: () => undefined,
  };
}

/** Whether PostgreSQL takes a connection. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS });
  // One that is lost while it ends is no news.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
