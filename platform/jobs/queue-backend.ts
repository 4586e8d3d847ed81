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

/** The PostgreSQL schema, or the Redis prefix, of the queues. */
const NAMESPACE = 'lectern_jobs';

/** Milliseconds after which a worker that lost Redis retries. */
const RETRY_MS = 2000;

/** Connection timeout of PostgreSQL, in milliseconds. */
const ANSWER_MS = 1000;
/** Milliseconds of silence after which it is looked whether PostgreSQL is still there, and for a connection to open. */
const KEEP_ALIVE_MS = 10_000;
/** Milliseconds for a statement of a queue, far above the longest: a connection lost without a word is given up then. */
const STATEMENT_MS = 60_000;

/** The storage of the queues. */
export interface QueueBackend {
  /** Migrates the storage. Several processes may do so at once. */
  prepare(): Promise<void>;
  queue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): Queue;
  worker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): Worker;
  /** Whether the storage is reachable. */
  inReach(): Promise<boolean>;
  /** Drops the remaining connections. */
  disconnect(): void;
}

/** Redis if it is set, else the installation's PostgreSQL. */
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
  // Every queue and worker opens its own pool, and a worker one connection more to listen.
  const connection = (max: number) => ({
    connectionString,
    max,
    schema: NAMESPACE,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: KEEP_ALIVE_MS,
    query_timeout: STATEMENT_MS,
  });
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
    // Queues and workers end their own pools, also when PostgreSQL is gone.
    disconnect: () => undefined,
  };
}

/** Whether PostgreSQL accepts a connection. */
async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS });
  // A connection lost while it closes is no error.
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
