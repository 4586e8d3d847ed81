import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
  SchemaMigrationRequiredError,
  type QueueBaseOptions,
} from 'bullmq';
import { withTimeout } from '../with-timeout.js';

/** Most connections for the statements of all queues and workers of a process, each of which takes about a millisecond. */
const MAX_CONNECTIONS = 5;
/** Connection timeout of PostgreSQL, in milliseconds. */
const ANSWER_MS = 1000;
/** Milliseconds of silence after which it is looked whether PostgreSQL is still there, and for a connection to open. */
const KEEP_ALIVE_MS = 10_000;
/** Milliseconds for a statement of a queue, far above the longest: a connection lost without a word is given up then. */
const STATEMENT_MS = 60_000;

/** Stands between the queues in the name of the connection that listens for their jobs. No queue has it in its name. */
const AND = '+';

type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * The connections of a process to the PostgreSQL of its queues: one pool, and one connection that listens, for all queues
 * and workers. BullMQ by itself opens both for each of them.
 */
export class SharedPostgresConnection extends PostgresConnection {
  private readonly listening = new Set<string>();
  private compatible: Promise<unknown> | undefined;
  private readonly lastStatements = new WeakMap<ListenClient, Promise<unknown>>();

  /** @param schema of the tables of the queues */
  constructor(connectionString: string, schema: string) {
    super({
      connectionString,
      schema,
      max: MAX_CONNECTIONS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: KEEP_ALIVE_MS,
      query_timeout: STATEMENT_MS,
    });
  }

  /** Makes the tables of the queues, or brings them to what this release needs. Several processes may do so at once. */
  async migrate(): Promise<void> {
    const client = await this.pool.connect();
    try {
      const version = await assertSchemaCompatibility(client, this.schema).catch((error: unknown) => {
        if (error instanceof SchemaMigrationRequiredError) return 0;
        throw error;
      });
      if (version < LATEST_SCHEMA_VERSION) await runMigrations(client, this.schema);
    } finally {
      client.release();
    }
  }

  /** Whether PostgreSQL answers. */
  answers(): Promise<boolean> {
    return withTimeout(ANSWER_MS, this.pool.query('select'), 'PostgreSQL did not answer.').then(
      () => true,
      () => false,
    );
  }

  /** Succeeds for good once the tables are there; BullMQ's own would also keep its first failure for good. */
  override async waitUntilReady(): Promise<void> {
    this.compatible ??= this.lookAtTables().catch((error: unknown) => {
      this.compatible = undefined;
      throw error;
    });
    await this.compatible;
  }

  /** The connection that listens. Its users do not know of each other, and it takes one statement at a time. */
  override async getListenClient(): Promise<ListenClient> {
    const client = await super.getListenClient();
    const serialized: ListenClient['query'] = async (text, parameters) => {
      const asked = Promise.resolve(this.lastStatements.get(client)).then(() =>
        client.query(text, parameters),
      );
      this.lastStatements.set(
        client,
        asked.catch(() => undefined),
      );
      return asked as never;
    };
    return new Proxy(client, {
      get: (target, property) => {
        if (property === 'query') return serialized;
        const value: unknown = Reflect.get(target, property);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  /** Names the connection after all queues whose jobs it listens for. */
  override async setListenClientName(queue: string): Promise<void> {
    this.listening.add(queue);
    await super.setListenClientName([...this.listening].sort().join(AND));
  }

  private async lookAtTables(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await assertSchemaCompatibility(client, this.schema);
    } finally {
      client.release();
    }
  }
}

/** A queue, or a worker of one, on connections that it shares. Closing it leaves them open. */
export class SharedPostgresBackend extends PostgresQueueBackend {
  private leaving = false;

  /** @param listens it waits for jobs, as a worker does */
  constructor(
    shared: SharedPostgresConnection,
    queue: string,
    options: QueueBaseOptions<never>,
    listens: boolean,
  ) {
    super(shared, queue, options, false, listens ? queue : undefined);
    if (listens) shared.on('listenerinvalidated', this.listenAnew);
    shared.waitUntilReady().then(
      () => this.emit('ready'),
      // Whoever uses the queue is told.
      () => undefined,
    );
  }

  override close(): Promise<void> {
    this.closing ??= this.disconnectBlocking();
    return this.closing;
  }

  override async disconnectBlocking(wait?: boolean): Promise<void> {
    this.leaving = true;
    await super.disconnectBlocking(wait);
  }

  /** One name for each queue, as its workers are looked for by it. */
  override async getClientList(): Promise<string[]> {
    const lists = await super.getClientList();
    return lists.map((list) =>
      list
        .split('\n')
        .flatMap((line) => line.replace(/^name=/, '').split(AND))
        .map((name) => `name=${name}`)
        .join('\n'),
    );
  }

  /** A worker waits on a connection that is gone: it listens on the next one. */
  private readonly listenAnew = (): void => {
    if (this.leaving) return;
    this.emit('error', new Error('The connection that listens for jobs was lost.'));
    void this.reconnectBlocking().then(() => this.disconnect());
  };
}
