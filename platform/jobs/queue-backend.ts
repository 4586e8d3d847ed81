import {
  createRedisBackend,
  Queue,
  Worker,
  type BackendFactory,
  type Processor,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import { SharedPostgresBackend, SharedPostgresConnection } from './postgres-queues.js';
import { redisAddress, type RedisAddress, type RedisSettings } from './redis-address.js';
import { RedisConnections } from './redis-connections.js';

/** The PostgreSQL schema, or the Redis prefix, of the queues. */
const NAMESPACE = 'lectern_jobs';

/** Milliseconds after which a worker that lost Redis retries. */
const RETRY_MS = 2000;

/** The storage of the queues. */
export interface QueueBackend {
  /** Migrates the storage. Several processes may do so at once. */
  prepare(): Promise<void>;
  queue(name: string, options: Omit<QueueOptions, 'connection' | 'prefix'>): Queue;
  worker(name: string, processor: Processor, options: Omit<WorkerOptions, 'connection' | 'prefix'>): Worker;
  /** Whether the storage is reachable. */
  inReach(): Promise<boolean>;
  /** Ends the remaining connections. The queues and workers have to be closed before. */
  close(): Promise<void>;
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
    close: async () => connections.disconnect(),
  };
}

function postgresBackend(connectionString: string): QueueBackend {
  const shared = new SharedPostgresConnection(connectionString, NAMESPACE);
  const backend: BackendFactory<SharedPostgresBackend, never> = (
    name,
    options,
    { withBlockingConnection } = {},
  ) => new SharedPostgresBackend(shared, name, options, withBlockingConnection === true);
  return {
    prepare: () => shared.migrate(),
    queue: (name, options) =>
      new Queue(name, { ...options, connection: shared as never }, backend) as unknown as Queue,
    worker: (name, processor, options) =>
      new Worker(name, processor, { ...options, connection: shared as never }, backend) as unknown as Worker,
    inReach: () => shared.answers(),
    close: () => shared.close(),
  };
}
