import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createSecureContext, connect } from 'node:tls';
import { AccessDeniedError, BACKWARDS, END, type EventStoreDBClient } from '@eventstore/db-client';
import type { Logger } from '../logging.js';
import { withTimeout } from '../with-timeout.js';
import { eventStoreAddress, type EventStoreAddress } from './event-store-address.js';
import { WrongLog, type LogProof } from './log-proof.js';
import { collect } from './retry-with-deadline.js';
import {
  ResilientEventStoreClient,
  type ChannelFiles,
  type StoreUse,
} from './resilient-event-store-client.js';

/** Timeout of the first call at a start, in milliseconds. */
const FIRST_WORD = 3_000;

/**
 * The client of the event store in `EVENTSTORE_URL`. It connects and reconnects by itself; the caller disposes of it.
 * @param proof that the store has the right log, or `ANY_LOG`
 * @param options.setting what the address was given as
 * @throws an Error that names the setting and what is wrong in it, never the password
 */
export function eventStoreClient(
  url: string,
  proof: LogProof,
  {
    setting = 'EVENTSTORE_URL',
    batched = false,
    isOwn = false,
  }: Partial<Omit<StoreUse, 'proof'>> & { setting?: string } = {},
): ResilientEventStoreClient {
  try {
    const address = eventStoreAddress(url);
    return new ResilientEventStoreClient(address, filesOf(address), { proof, batched, isOwn });
  } catch (error) {
    throw new Error(`${setting}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * As above, when a process starts: fails on wrong credentials and untrusted certificates. An unavailable store does not
 * fail the start, as the parts of an installation start in any order: every call retries, and the log and /readyz
 * report it. Nor does a wrong log: it may be exchanged for the right one.
 * @param isOwn whether the store lives in this process
 * @throws an Error that names EVENTSTORE_URL and what is wrong, never the password
 */
export async function openEventStore(
  url: string,
  proof: LogProof,
  logger: Logger,
  isOwn = false,
): Promise<ResilientEventStoreClient> {
  const client = eventStoreClient(url, announcing(proof, logger), { batched: true, isOwn });
  try {
    await withTimeout(FIRST_WORD, lookAt(client), 'the event store did not answer in time');
  } catch (error) {
    if (error instanceof WrongLog) return client;
    const address = eventStoreAddress(url);
    const trouble =
      error instanceof AccessDeniedError
        ? 'the event store does not let this user in, or not read $all: look at user, password and rights'
        : await tlsTrustError(address, filesOf(address).rootCertificate);
    if (trouble !== undefined) {
      await client.dispose();
      throw new Error(`EVENTSTORE_URL: ${trouble}.`, { cause: error });
    }
    const hosts = address.hosts.map(({ address: host, port }) => `${host}:${port}`);
    logger.warn({ error, hosts }, 'the event store is away; it is asked again until it answers');
  }
  return client;
}

/** Says so once when another log is found than the right one, and when that is back. */
function announcing(proof: LogProof, logger: Logger): LogProof {
  let wrong: string | undefined;
  return async (...of) => {
    try {
      const logId = await proof(...of);
      if (wrong) logger.info({ log: logId }, 'the right event log is back, and work goes on');
      wrong = undefined;
      return logId;
    } catch (error) {
      if (!(error instanceof WrongLog)) throw error;
      // Where it ends may change from one look to the next.
      const found = error.kind === 'shorter' ? error.kind : error.message;
      if (found !== wrong) logger.error({ kind: error.kind }, error.message);
      wrong = found;
      throw error;
    }
  };
}

/** Reading the end of the log requires the same rights as following it. */
async function lookAt(client: EventStoreDBClient): Promise<void> {
  const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
  await collect(client.readAll(newest), { signal: AbortSignal.timeout(FIRST_WORD) });
}

function filesOf({ tls, caFile, certificateFile, keyFile }: EventStoreAddress): ChannelFiles {
  if (!tls) return {};
  const files = {
    ...(caFile !== undefined && { rootCertificate: contentOf('tlsCAFile', caFile) }),
    ...(certificateFile !== undefined && { userCertFile: contentOf('userCertFile', certificateFile) }),
    ...(keyFile !== undefined && { userKeyFile: contentOf('userKeyFile', keyFile) }),
  };
  try {
    createSecureContext({ cert: files.userCertFile, key: files.userKeyFile });
  } catch {
    throw new Error('userCertFile and userKeyFile do not hold a certificate and its key (PEM).');
  }
  return files;
}

function contentOf(option: string, file: string): Buffer {
  const path = resolve(file);
  if (!existsSync(path)) throw new Error(`${option} names a file that is not there: ${path}`);
  const content = readFileSync(path);
  if (!content.includes('-----BEGIN ')) {
    throw new Error(`${option} names a file that holds no PEM text: ${path}`);
  }
  return content;
}

/** Timeout per host, in milliseconds. */
const TIMEOUT = 2_000;
/** Errors of a connection that was accepted and then lost: nothing about trust. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Why the first reachable host is not trusted, as a sentence: gRPC only reports that it has no connection.
 * @returns nothing if none is reachable, or TLS is not the cause
 */
async function tlsTrustError(
  { hosts, tls }: EventStoreAddress,
  authority: Buffer | undefined,
): Promise<string | undefined> {
  if (!tls) return undefined;
  for (const { address, port } of hosts) {
    const code = await handshake(address.replace(/^\[|\]$/g, ''), port, authority);
    if (code === undefined) continue;
    return /^(ERR_SSL|EPROTO)/.test(code)
      ? `${address}:${port} does not speak TLS as it should (${code}); without TLS the address says tls=false`
      : `the certificate of ${address}:${port} is not trusted (${code}); name its authority with tlsCAFile`;
  }
  return undefined;
}

/** The error code of the TLS handshake, if it fails. */
function handshake(host: string, port: number, ca: Buffer | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ALPNProtocols: ['h2'], ...(ca && { ca }) });
    let isReached = false;
    const end = (code?: string) => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(TIMEOUT, () => end());
    socket.once('connect', () => (isReached = true));
    socket.once('secureConnect', () => end());
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(isReached && code !== undefined && !LOST.has(code) ? code : undefined),
    );
  });
}
