import { Cluster, Redis, type CommonRedisOptions } from 'ioredis';
import { within } from '../within.js';
import type { RedisAddress } from './redis-address.js';

type Connection = Redis | Cluster;

/** A queue tells its caller at once that Redis is away, as the outbox keeps the jobs; a worker waits for Redis. */
export type ConnectionUse = 'queue' | 'worker';

const MAX_BETWEEN_TRIES_MS = 2000;
/** Milliseconds in which a Redis that is in reach answers. */
const ANSWER_MS = 1000;
/** Milliseconds between two looks at a connection, and those in which it has to answer. */
const LOOK_MS = 5000;
/** A Sentinel, or a node that is asked for the cluster's layout, is one of several: the next one may answer. */
const NEXT_ONE_MS = 3000;

/** The connections to the Redis of an installation: one server, a master behind Sentinels, or a cluster. */
export class RedisConnections {
  private readonly opened: Connection[] = [];
  private readonly copies: Connection[] = [];
  private readonly looks = new Set<NodeJS.Timeout>();
  private closed = false;

  /**
   * @param namespace what the names of all keys begin with
   * @param lookMs milliseconds between two looks at a connection; tests shorten them
   */
  constructor(
    private readonly address: RedisAddress,
    private readonly namespace: string,
    private readonly lookMs = LOOK_MS,
  ) {}

  /** What the names of all keys begin with. A cluster keeps on one node what has the same name in braces. */
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
    // The keys of a cluster lie on one node: the others may be there without it.
    const answers = await Promise.all(this.opened.map((connection) => this.answers(connection, ANSWER_MS)));
    return answers.every((answered) => answered);
  }

  /** Drops what connections are left, and none of them comes back. */
  disconnect(): void {
    this.closed = true;
    for (const look of this.looks) clearInterval(look);
    for (const connection of [...this.opened, ...this.copies]) {
      connection.disconnect();
      refuseWhatWaits(connection);
    }
  }

  private connect(use: ConnectionUse): Connection {
    const { address } = this;
    const { username, password, tls } = address;
    const options: CommonRedisOptions = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls: {} }),
      maxRetriesPerRequest: use === 'queue' ? 1 : null,
      // A master that another one took the place of: connect anew, to that one, and ask again.
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
          // A certificate is for a name: nodes are reached by the names they have.
          ...(tls && { dnsLookup: (name, callback) => callback(null, name) }),
          // A worker's command waits for a node that is away; a queue's is refused after a second and a half.
          ...(use === 'worker' && { maxRedirections: Infinity }),
          slotsRefreshTimeout: NEXT_ONE_MS,
          enableOfflineQueue,
          clusterRetryStrategy: retryStrategy,
        });
    }
  }

  private answers(connection: Connection, milliseconds: number): Promise<boolean> {
    return within(milliseconds, connection.exists(this.prefix), 'Redis did not answer.').then(
      () => true,
      () => false,
    );
  }

  /**
   * A machine that is gone closes no connection, and it would take minutes to be noticed. So one that says nothing
   * is made anew, with another master where there is one by now.
   */
  private async look(connection: Connection): Promise<void> {
    if (connection.status !== 'ready' || (await this.answers(connection, this.lookMs))) return;
    if (!this.closed && connection.status === 'ready') connection.disconnect(true);
  }

  /** BullMQ makes copies of connections, with their options, to wait for jobs on them. */
  private watch(connection: Connection): Connection {
    // BullMQ tells of errors through its queues and workers; without a listener ioredis prints them.
    connection.on('error', () => undefined);
    const duplicate = connection.duplicate.bind(connection) as (...options: unknown[]) => Connection;
    connection.duplicate = ((...options: unknown[]) => {
      const copy = duplicate(...options);
      this.copies.push(copy);
      return this.watch(copy);
    }) as never;
    return connection;
  }

  private readonly retryStrategy = (times: number): number | null =>
    this.closed ? null : Math.min(times * 200, MAX_BETWEEN_TRIES_MS);
}

/**
 * A connection that is told to end while Redis is away tries no more, but ioredis leaves its commands unanswered. A
 * worker that waits for a job by one of them would keep the process for seconds, until BullMQ gives up on the answer.
 */
function refuseWhatWaits(connection: Connection): void {
  // Typed as private, and the only way: `disconnect` does it only where there is a connection to close.
  const waiting = connection as unknown as { flushQueue(error: Error): void };
  waiting.flushQueue(new Error('The connection to Redis is closed.'));
}
