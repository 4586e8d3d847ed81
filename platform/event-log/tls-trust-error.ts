import { connect } from 'node:tls';
import type { EventStoreAddress } from './event-store-address.js';

/** Timeout per host, in milliseconds. */
const TIMEOUT = 2_000;
/** Errors of a connection that was accepted and then lost: nothing about trust. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Why the first reachable host is not trusted, as a sentence: gRPC only reports that it has no connection.
 * @returns nothing if none is reachable, or TLS is not the cause
 */
export async function tlsTrustError(
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
