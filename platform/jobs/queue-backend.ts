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
import { Redis, type RedisOptions } from 'ioredis';
import pg from 'pg';
import type { ResolvedSettings } from '../settings.js';

/** The schema of PostgreSQL, or the prefix of Redis, in which the queues are kept. */
const NAMESPACE = 'lectern_jobs';

/** Where the queues are kept. */
export interface QueueBackend {
  /** Brings the place to the shape that the queues need. Several processes may do so at once. */
  prepare(): Promise<void>;
  queue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): Queue;
  worker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): Worker;
  /** Whether the place answered when last asked. */
  inReach(): boolean;
  /** Drops what connections are left. */
  disconnect(): void;
}

/** Redis where the installation has one, else the PostgreSQL that it has anyhow. */
export function queueBackend(settings: Pick<ResolvedSettings, 'DATABASE_URL' | 'REDIS_URL'>): QueueBackend {
  return settings.REDIS_URL ? redisBackend(settings.REDIS_URL) : postgresBackend(settings.DATABASE_URL);
}

function redisBackend(url: string): QueueBackend {
  const connections: Redis[] = [];
  let closed = false;
  // BullMQ makes copies of these connections, and they keep the strategy: after the end none of them comes back.
  const retryStrategy = (times: number) => (closed ? null : Math.min(times * 200, 2000));
  const connect = (options: RedisOptions) => {
    const connection = new Redis(url, { ...options, retryStrategy });
    // BullMQ tells of errors through its queues and workers; without a listener ioredis prints them.
    connection.on('error', () => undefined);
    connections.push(connection);
    return connection;
  };
  return {
    prepare: async () => undefined,
    // Adding a job fails at once while Redis is away, and the outbox keeps it; a worker waits for Redis.
    queue: (name, options) =>
      new Queue(
        name,
        {
          ...options,
          prefix: NAMESPACE,
          connection: connect({ enableOfflineQueue: false, maxRetriesPerRequest: 1 }),
        },
        createRedisBackend,
      ),
    worker: (name, processor, options) =>
      new Worker(
        name,
        processor,
        { ...options, prefix: NAMESPACE, connection: connect({ maxRetriesPerRequest: null }) },
        createRedisBackend,
      ),
    inReach: () => connections.every((connection) => connection.status === 'ready'),
    disconnect() {
      closed = true;
      for (const connection of connections) connection.disconnect();
    },
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
    inReach: () => true,
    // Queues and workers end their pools themselves, also when PostgreSQL is gone.
    disconnect: () => undefined,
  };
}
