import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { operationsRouter, type Operations } from './operations.router.js';

/** A port that only those who run the installation reach. */
export interface RunningOperations {
  url: string;
  close(): Promise<void>;
}

/**
 * Opens it.
 * @param port 0 for any free one
 * @throws when the port is taken
 */
export async function openOperationsPort(
  operations: Operations,
  host: string,
  port: number,
): Promise<RunningOperations> {
  const app = express().disable('x-powered-by');
  app.use(operationsRouter(operations, () => true));
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
