import { Server, ServerCredentials } from '@grpc/grpc-js';
import pg from 'pg';
import { guard, type Access } from './access.js';
import { appendOnly } from './append-only.js';
import { EventReader } from './event-reader.js';
import { LiveTail, type TailLimits } from './live-tail.js';
import type { BatchAppendCall } from './batch-append-call.js';
import { silent, type Log } from './log.js';
import { sendWindow } from './send-window.js';
import { registerServices } from './streams-service.js';
import { Subscriptions } from './subscription.js';
import { Writer } from './writer.js';

export interface EventStoreOptions extends Access {
  /** The PostgreSQL database that keeps the events, in a schema `eventstore` of its own. */
  databaseUrl: string;
  /** Default: loopback. */
  host?: string;
  /** Default 0: any free one. */
  port?: number;
  /** PEM texts. */
  tls?: { certificate: string; privateKey: string };
  log?: Log;
  /** How long to wait for another event store on the same database to leave. Default 5000. */
  lockTimeoutMs?: number;
  /** Whether streams may be deleted, tombstoned and cut short by their metadata, as the conformance tests do. */
  mayDelete?: boolean;
  /** Bytes that one append may have. Default 1 MiB, as EventStoreDB has it. */
  maxAppendSize?: number;
  /** What is kept in memory for subscribers. */
  tail?: TailLimits;
}

export interface RunningEventStore {
  port: number;
  /** For `eventStoreClient`. It holds no credentials, and of the secret its file alone. */
  connectionString: string;
  /** Ends what is under way, then gives the database back to another store. */
  stop(): Promise<void>;
}

// Above the largest message that the client sends, so that our own limit answers and not the transport's.
const LARGEST_MESSAGE = 17 * 1024 * 1024;
const READING_CONNECTIONS = 8;

/**
 * Starts an event store that speaks the protocol of EventStoreDB, as far as its official client needs it
 * here, and keeps the events in PostgreSQL.
 * @throws WriterLockHeldError when another event store runs on the same database
 */
export async function startEventStore(options: EventStoreOptions): Promise<RunningEventStore> {
  const { databaseUrl, host = '127.0.0.1', port = 0, log = silent, lockTimeoutMs = 5000 } = options;
  const writer = new Writer({ databaseUrl, lockTimeoutMs, log });
  const subscriptions = new Subscriptions();
  const tail = await writer.start(
    (last) => new LiveTail(last, options.tail),
    () => subscriptions.endAll(),
  );
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'lectern event store reader',
    max: READING_CONNECTIONS,
    connectionTimeoutMillis: 5000,
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', () => undefined);

  const server = new Server({
    'grpc.max_receive_message_length': LARGEST_MESSAGE,
    interceptors: [guard(options), sendWindow],
  });
  const batchCalls = new Set<BatchAppendCall>();
  registerServices(server, {
    writer: options.mayDelete ? writer : appendOnly(writer),
    maxAppendSize: options.maxAppendSize ?? 1024 * 1024,
    reader: new EventReader(pool),
    tail,
    subscriptions,
    log,
    batchCalls,
  });
  const stopDatabase = async () => {
    await writer.stop();
    await pool.end();
  };
  try {
    const bound = await listen(server, host, port, options.tls);
    log('info', 'the event store listens', { port: bound });
    return {
      port: bound,
      connectionString: addressOf(options, host, bound),
      stop: async () => {
        subscriptions.endAll();
        for (const call of batchCalls) call.stop();
        await shutDown(server);
        await stopDatabase();
      },
    };
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

function addressOf({ tls, secretFile }: EventStoreOptions, host: string, port: number): string {
  const secret = secretFile === undefined ? '' : `&secretFile=${encodeURIComponent(secretFile)}`;
  return `esdb://${host}:${port}?tls=${tls ? 'true' : 'false'}${secret}`;
}

function listen(server: Server, host: string, port: number, tls: EventStoreOptions['tls']): Promise<number> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.privateKey) },
      ])
    : ServerCredentials.createInsecure();
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
}

const SHUT_DOWN_MS = 1000;

/** Lets calls under way end, then cuts off those that take too long. */
function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.forceShutdown(), SHUT_DOWN_MS);
    server.tryShutdown(() => {
      clearTimeout(cut);
      resolve();
    });
  });
}
