import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { withTimeout } from '../with-timeout.js';
import type { RedisAddress } from './redis-address.js';

type Connection = Redis | Cluster;

/** A queue fails at once while Redis is unavailable, as the outbox keeps the jobs; a worker waits for Redis. */
export type ConnectionUse = 'queue' | 'worker';

const MAX_BETWEEN_TRIES_MS = 2000;
/** Connection timeout of Redis, in milliseconds. */
const ANSWER_MS = 1000;
/** Milliseconds between two health checks of a connection, and their timeout. */
const LOOK_MS = 5000;
/** Short, since a Sentinel, or a node that is asked for the cluster's layout, is one of several. */
const NEXT_ONE_MS = 3000;

/** The connections to the Redis of an installation: one server, a master behind Sentinels, or a cluster. */
export class RedisConnections {
  private readonly opened: Connection[] = [];
  private readonly copies: Connection[] = [];
  private readonly nodes = new Set<Redis>();
  private readonly looks = new Set<NodeJS.Timeout>();
  private closed = false;

  /**
   * @param namespace the prefix of all keys
   * @param lookMs milliseconds between two health checks of a connection; tests shorten them
   */
  constructor(
    private readonly address: RedisAddress,
    private readonly namespace: string,
    private readonly lookMs = LOOK_MS,
  ) {}

  /** The prefix of all keys. A cluster keeps keys with the same hash tag (in braces) on one node. */
  get prefix(): string {
    return this.address.kind === 'cluster' ? `{${this.namespace}}` : this.namespace;
  }

  open(use: ConnectionUse): Connection {
    const connection = this.connect(use);
    this.opened.push(connection);
    this.looks.add(setInterval(() => void this.look(connection), this.lookMs).unref());
    return this.watch(connection);
  }

  /** Whether Redis answers on every connection that was opened. */
  async inReach(): Promise<boolean> {
    if (this.opened.some(({ status }) => status !== 'ready')) return false;
    // All keys are on one node of the cluster: other nodes may be reachable without it.
    const answers = await Promise.all(this.opened.map((connection) => this.answers(connection, ANSWER_MS)));
    return answers.every((answered) => answered);
  }

  /** Drops the remaining connections for good. */
  disconnect(): void {
    this.closed = true;
    for (const look of this.looks) clearInterval(look);
    for (const connection of [...this.opened, ...this.copies]) {
      // One that has ended would keep the process for two seconds more.
      if (connection.status !== 'end') connection.disconnect();
      refuseWhatWaits(connection);
    }
    for (const node of this.nodes) node.disconnect();
  }

  private connect(use: ConnectionUse): Connection {
    const { address } = this;
    const { username, password, tls } = address;
    const options: CommonRedisOptions = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: {} }),
      maxRetriesPerRequest: use === 'queue' ? 1 : null,
      // A master that was replaced after a failover: reconnect to the new one, and retry.
      reconnectOnError: ({ message }) => (message.startsWith('READONLY') ? 2 : false),
    };
    const enableOfflineQueue = use === 'worker';
    const { retryStrategy } = this;
    switch (address.kind) {
      case 'server':
        return new Redis({
          ...options,
          ...address.server,
          db: address.database,
          enableOfflineQueue,
          retryStrategy,
        });
      case 'sentinel':
        return new Redis({
          ...options,
          sentinels: address.sentinels,
          name: address.master,
          db: address.database,
          ...(address.sentinelUsername !== undefined && { sentinelUsername: address.sentinelUsername }),
          ...(address.sentinelPassword !== undefined && { sentinelPassword: address.sentinelPassword }),
          ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
          sentinelCommandTimeout: NEXT_ONE_MS,
          enableOfflineQueue,
          retryStrategy,
          sentinelRetryStrategy: retryStrategy,
        });
      case 'cluster':
        return new Cluster(address.nodes, {
          redisOptions: options,
          // Certificates are issued for names: connect to nodes by their names.
          ...(tls && { dnsLookup: (name, callback) => callback(null, name) }),
          // A worker's command waits for an unavailable node; a queue's fails after a second and a half.
          ...(use === 'worker' && { maxRedirections: Infinity }),
          slotsRefreshTimeout: NEXT_ONE_MS,
          enableOfflineQueue,
          clusterRetryStrategy: retryStrategy,
        });
    }
  }

  private answers(connection: Connection, milliseconds: number): Promise<boolean> {
    return withTimeout(milliseconds, connection.exists(this.prefix), 'Redis did not answer.').then(
      () => true,
      () => false,
    );
  }

  /**
   * A machine that crashed closes no connection, and it would take minutes to notice. So a silent connection is replaced,
   * by one to the new master after a failover.
   */
  private async look(connection: Connection): Promise<void> {
    if (connection.status !== 'ready' || (await this.answers(connection, this.lookMs))) return;
    if (!this.closed && connection.status === 'ready') connection.disconnect(true);
  }

  /** BullMQ duplicates connections, with their options, to block on them for jobs. */
  private watch(connection: Connection): Connection {
    // BullMQ reports errors through its queues and workers; without a listener ioredis prints them.
    connection.on('error', () => undefined);
    connection.on('+node', (node: Redis) => this.remember(node));
    const duplicate = connection.duplicate.bind(connection) as (...options: unknown[]) => Connection;
    connection.duplicate = ((...options: unknown[]) => {
      const copy = duplicate(...options);
      this.copies.push(copy);
      return this.watch(copy);
    }) as never;
    return connection;
  }

  /**
   * A cluster that is connected again at once, as BullMQ does while a worker closes, forgets its new connection to a node
   * when the old one ends.
   */
  private remember(node: Redis): void {
    this.nodes.add(node);
    node.once('end', () => this.nodes.delete(node));
    if (this.closed) node.disconnect();
  }

  private readonly retryStrategy = (times: number): number | null =>
    this.closed ? null : Math.min(times * 200, MAX_BETWEEN_TRIES_MS);
}

/**
 * A connection that is closed while Redis is unreachable stops retrying, but ioredis never settles its commands. A
 * worker that waits for a job on it would keep the process alive for seconds, until BullMQ gives up.
 */
function refuseWhatWaits(connection: Connection): void {
  // Typed as private, and the only way: `disconnect` does it only where there is a connection to close.
  const waiting = connection as unknown as { flushQueue(error: Error): void };
  waiting.flushQueue(new Error('The connection to Redis is closed.'));
}
