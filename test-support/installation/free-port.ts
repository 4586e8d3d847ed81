import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections: one of those could be taken again before the product
 * that is being started listens on it.
 */
const FROM = 15_000;
const UP_TO = 32_000;

/** A port of loopback on which nothing listens at the moment. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(FROM, UP_TO);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${FROM} and ${UP_TO} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
