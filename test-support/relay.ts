import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An address that stays while what is behind it goes and comes back elsewhere, or cannot be heard for a time. */
export interface Relay {
  port: number;
  /** Leads to another port from the next connection on. */
  leadTo(port: number): void;
  /** Breaks the connections that there are. */
  cut(): void;
  /** From here on no byte passes, on connections there are and on new ones; they stay. */
  silence(): void;
  /** Everything passes again, and what was held back too. */
  restore(): void;
  close(): Promise<void>;
}

/** Passes connections on to a port of loopback; who is not there is refused at both ends. */
export async function startRelay(to: number): Promise<Relay> {
  let target = to;
  let isSilent = false;
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    tie(near, far, ends);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('data', (bytes) => void other.write(bytes));
      one.on('end', () => other.end());
      if (isSilent) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      target = port;
    },
    cut: () => {
      for (const end of ends) end.destroy();
    },
    silence: () => {
      isSilent = true;
      for (const end of ends) end.pause();
    },
    restore: () => {
      isSilent = false;
      for (const end of ends) end.resume();
    },
    close: async () => {
      for (const end of ends) end.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The two ends of a connection that is passed on break together. */
export function tie(near: Socket, far: Socket, open: Set<Duplex>): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(one);
    one.on('error', () => other.destroy());
    one.once('close', () => {
      open.delete(one);
      other.destroy();
    });
  }
}
