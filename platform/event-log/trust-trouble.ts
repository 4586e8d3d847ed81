import { connect } from 'node:tls';
import type { EventStoreAddress } from './event-store-address.js';

/** Milliseconds for which one host is looked at. */
const PATIENCE = 2_000;
/** What a connection says that somebody took and then lost: nothing about trust. */
const LOST = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/**
 * Why the first host that can be reached cannot be trusted, as a sentence: gRPC tells no more than that it has no
 * connection.
 * @returns nothing where none is reached, or TLS is not to blame
 */
export async function trustTrouble(
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

/** The code of the error that the handshake ends with, if it does. */
function handshake(host: string, port: number, ca: Buffer | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ALPNProtocols: ['h2'], ...(ca && { ca }) });
    let isReached = false;
    const end = (code?: string) => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(PATIENCE, () => end());
    socket.once('connect', () => (isReached = true));
    socket.once('secureConnect', () => end());
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      end(isReached && code !== undefined && !LOST.has(code) ? code : undefined),
    );
  });
}
