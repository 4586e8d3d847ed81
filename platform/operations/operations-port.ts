import express, { Router, type Request, type Response } from 'express';
import { publicExposure } from '../exposure.js';
import { isSameSecret } from '../shared-secret.js';
import type { ResolvedSettings } from '../settings.js';
import type { Metrics } from './metrics.js';
import type { Readiness } from './probes.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Operations {
  metrics: Metrics;
  ready: () => Promise<Readiness>;
}

/** Whether a request comes from those who run the installation. */
export type IsOperator = (request: Request) => boolean;

/**
 * `/healthz` (the process answers) and `/readyz` (503 if it can do nothing, and with `?strict` as soon as any part is
 * unavailable), as load balancers ask for them, for everybody. Which part it is, and `/metrics`, are for operators.
 */
export function operationsRouter({ metrics, ready }: Operations, isOperator: IsOperator): Router {
  const router = Router();
  router.use(['/healthz', '/readyz', '/metrics'], (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (request: Request, response: Response) => {
    const { status, checks } = await ready();
    const strict = request.query['strict'] !== undefined;
    const good = status === 'ready' || (status === 'degraded' && !strict);
    if (!good) response.setHeader('retry-after', 2);
    response.status(good ? 200 : 503).json(isOperator(request) ? { status, checks } : { status });
  });
  router.get('/metrics', async (request, response) => {
    if (!isOperator(request)) {
      response.status(401).set('www-authenticate', 'Bearer').type('text');
      return void response.send(
        'The measurements are for operators: send OPERATIONS_TOKEN as a bearer token.\n',
      );
    }
    const { type, text } = await metrics.scrape();
    response.type(type).send(text);
  });
  return router;
}

/** On the port of the site: everybody where no stranger comes; elsewhere, or if there is a token, whoever sends it. */
export function operatorCheck(settings: ResolvedSettings): IsOperator {
  const { OPERATIONS_TOKEN } = settings;
  if (OPERATIONS_TOKEN === undefined) return () => publicExposure(settings) === undefined;
  return ({ headers }) => {
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
    return given !== undefined && isSameSecret(given, OPERATIONS_TOKEN);
  };
}

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
