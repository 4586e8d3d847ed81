import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** An address that stays while what is behind it goes and comes back elsewhere, or cannot be heard for a time. */
export interface Relay {
  port: number;
  /** Leads elsewhere from the next connection on. */
  leadTo(to: Target): void;
  /** Breaks the connections that there are. */
  cut(): void;
  /** From here on no byte passes, on connections there are and on new ones; they stay. */
  silence(): void;
  /** Breaks the connections, and takes no new ones, as if nobody listened. */
  refuse(): void;
  /** Everything passes again, and what was held back too. */
  restore(): void;
  close(): Promise<void>;
}

/** A relay to an event store, and the connection string that leads through it. */
export interface StoreRelay extends Relay {
  url: string;
}

/** A relay to a database, and the connection string that leads through it. */
export interface DatabaseRelay extends Relay {
  url: string;
  /** Leads to another one from the next connection on. */
  leadToDatabase(url: string): void;
}

export async function startStoreRelay(url: string): Promise<StoreRelay> {
  const through = new URL(url);
  const relay = await startRelay(Number(through.port));
  through.port = String(relay.port);
  return { ...relay, url: through.href };
}

/** @param url of one that is reached by its socket */
export async function startDatabaseRelay(url: string): Promise<DatabaseRelay> {
  const socketOf = (each: string) => {
    const { port, searchParams } = new URL(each);
    return `${searchParams.get('host')}/.s.PGSQL.${port}`;
  };
  const relay = await startRelay(socketOf(url));
  const through = new URL(url);
  through.search = '';
  through.hostname = '127.0.0.1';
  through.port = String(relay.port);
  return { ...relay, url: through.toString(), leadToDatabase: (to) => relay.leadTo(socketOf(to)) };
}

/** A port of loopback, or the path of a Unix socket. */
type Target = number | string;

/** Passes connections on; who is not there is refused at both ends. */
export async function startRelay(to: Target): Promise<Relay> {
  let target = to;
  let [isSilent, isRefusing] = [false, false];
  const ends = new Set<Socket>();
  const server = createServer((near) => {
    if (isRefusing) return void near.destroy();
    const far = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
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
  const cut = () => {
    for (const end of ends) end.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (to) => {
      target = to;
    },
    cut,
    refuse: () => {
      isRefusing = true;
      cut();
    },
    silence: () => {
      isSilent = true;
      for (const end of ends) end.pause();
    },
    restore: () => {
      [isSilent, isRefusing] = [false, false];
      for (const end of ends) end.resume();
    },
    close: async () => {
      cut();
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
