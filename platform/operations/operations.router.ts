import { Router, type Request, type Response } from 'express';
import type { Metrics } from './metrics.js';
import type { Readiness } from './readiness.js';

export interface Operations {
  metrics: Metrics;
  ready: () => Promise<Readiness>;
}

/**
 * For operators: `/healthz` (the process answers), `/readyz` (each part it needs; 503 if it can do nothing, and with
 * `?strict` as soon as any part is unavailable) and `/metrics`.
 */
export function operationsRouter({ metrics, ready }: Operations): Router {
  const router = Router();
  router.use(['/healthz', '/readyz', '/metrics'], (_request, response, next) => {
    response.setHeader('cache-control', 'no-store');
    next();
  });
  router.get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/readyz', async (request: Request, response: Response) => {
    const answer = await ready();
    const strict = request.query['strict'] !== undefined;
    const good = answer.status === 'ready' || (answer.status === 'degraded' && !strict);
    if (!good) response.setHeader('retry-after', 2);
    response.status(good ? 200 : 503).json(answer);
  });
  router.get('/metrics', async (_request, response) => {
    const { type, text } = await metrics.scrape();
    response.type(type).send(text);
  });
  return router;
}
