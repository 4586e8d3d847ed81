import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A link of the network that can go silent: connections stay, and no byte passes any more. */
export interface SilentLink {
  port: number;
  /** From here on nothing passes, on connections there are and on new ones. */
  silence(): void;
  /** Everything passes again, and what was held back too. */
  restore(): void;
  close(): Promise<void>;
}

/** @param target the port of loopback that it leads to */
export async function startSilentLink(target: number): Promise<SilentLink> {
  const ends = new Set<Socket>();
  let isSilent = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on('data', (bytes) => void other.write(bytes));
      one.on('error', () => other.destroy());
      one.once('close', () => {
        ends.delete(one);
        other.destroy();
      });
      if (isSilent) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
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
