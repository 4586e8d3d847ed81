import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ServerCredentials, type Server } from '@grpc/grpc-js';

export interface OpenPort {
  port: number;
  /** Takes no new connections. @returns when the last one is closed */
  close(): Promise<void>;
  /**
   * Closes the connections. For a client that is the end of a server, "unavailable". gRPC's own way to end calls by force
   * would tell it that it had cancelled them itself.
   */
  cut(): void;
}

/**
 * Listens for connections to a gRPC server.
 * @param tls PEM texts; without them, connections are in plain text
 */
export function openPort(
  server: Server,
  host: string,
  port: number,
  tls: { certificate: string; privateKey: string } | undefined,
): Promise<OpenPort> {
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.privateKey) },
      ])
    : ServerCredentials.createInsecure();
  const injector = server.createConnectionInjector(credentials);
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    // A connection that breaks is its client's matter. Without a listener it would end the process.
    socket.on('error', () => undefined);
    injector.injectConnection(socket);
  });
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, () => {
      listener.off('error', reject);
      resolve({
        port: (listener.address() as AddressInfo).port,
        close: () => new Promise((closed) => listener.close(() => closed())),
        cut: () => {
          for (const socket of sockets) socket.destroy();
        },
      });
    });
  });
}
