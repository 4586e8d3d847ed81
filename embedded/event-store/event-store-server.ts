import { Server } from '@grpc/grpc-js';
import type { MessagePort } from 'node:worker_threads';
import pg from 'pg';
import { guard, type Access } from './access.js';
import { appendOnly } from './calls/append-only.js';
import { EventReader } from './storage/event-reader.js';
import { LiveTail, type TailLimits } from './storage/live-tail.js';
import { openPort, type OpenPort } from './open-port.js';
import { type Outgoing, sendWindow } from './calls/outgoing.js';
import type { BatchAppendCall } from './calls/batch-append-call.js';
import { noLog, type Log } from './storage/log.js';
import { unavailable } from './storage/store-error.js';
import { ownBatchCall } from './calls/own-batch-call.js';
import { batchAppend, registerServices } from './calls/streams-service.js';
import { Writer } from './storage/writer.js';

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

/** On the thread that it runs on. */
export interface EventStoreHere extends RunningEventStore {
  /** Takes batched appends over a port too, from the process that the thread belongs to. */
  appendOver(port: MessagePort): void;
}

// Above the largest message that the client sends, so that our own limit answers and not the transport's.
const LARGEST_MESSAGE = 17 * 1024 * 1024;
const READING_CONNECTIONS = 8;

/**
 * Starts an event store that speaks the protocol of EventStoreDB, as far as its official client needs it
 * here, and keeps the events in PostgreSQL.
 * @throws WriterLockHeldError when another event store runs on the same database
 */
export async function startEventStore(options: EventStoreOptions): Promise<EventStoreHere> {
  const { databaseUrl, host = '127.0.0.1', port = 0, log = noLog, lockTimeoutMs = 5000 } = options;
  const writer = new Writer({ databaseUrl, lockTimeoutMs, log });
  const reads = new Set<Outgoing>();
  const subscriptions = new Set<Outgoing>();
  const tail = await writer.start(
    (last) => new LiveTail(last, options.tail),
    () => endAll(subscriptions, 'The event store cannot follow its log at the moment.'),
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
  let isStopping = false;
  const context = {
    writer: options.mayDelete ? writer : appendOnly(writer),
    maxAppendSize: options.maxAppendSize ?? 1024 * 1024,
    reader: new EventReader(pool),
    tail,
    reads,
    subscriptions,
    log,
    batchCalls,
  };
  registerServices(server, context);
  const stopDatabase = async () => {
    await writer.stop();
    await pool.end();
  };
  try {
    const open = await openPort(server, host, port, options.tls);
    log('info', 'the event store listens', { port: open.port });
    return {
      port: open.port,
      connectionString: addressOf(options, host, open.port),
      appendOver: (over) => (isStopping ? over.close() : batchAppend(context, ownBatchCall(over))),
      stop: async () => {
        isStopping = true;
        endAll(subscriptions, STOPPING);
        for (const call of batchCalls) call.stop();
        await shutDown(server, open, () => endAll(reads, STOPPING));
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

const STOPPING = 'The event store stops.';

/** Ends reads as "unavailable", so that their clients try again. */
function endAll(reads: ReadonlySet<Outgoing>, reason: string): void {
  for (const read of reads) read.fail(unavailable(reason));
}

const READ_ON_MS = 500;
const SHUT_DOWN_MS = 1000;

/** Lets calls under way end, then ends the reads, then cuts the connections of clients that do not even take that. */
async function shutDown(server: Server, port: OpenPort, endReads: () => void): Promise<void> {
  const end = setTimeout(endReads, READ_ON_MS);
  const cut = setTimeout(() => port.cut(), SHUT_DOWN_MS);
  const closed = port.close();
  await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  clearTimeout(end);
  clearTimeout(cut);
  port.cut();
  await closed;
}
