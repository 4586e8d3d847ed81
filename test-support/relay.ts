import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** An address that stays while what is behind it goes and comes back elsewhere. */
export interface Relay {
  port: number;
  /** Leads to another port from the next connection on. */
  leadTo(port: number): void;
  close(): Promise<void>;
}

/** Passes connections on to a port of loopback; who is not there is refused at both ends. */
export async function startRelay(to: number): Promise<Relay> {
  let target = to;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const onward = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
