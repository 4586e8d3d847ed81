import type { RequestHandler } from 'express';
import type { Metrics } from '#platform/operations/metrics.js';

/** Measures every call of the API by its route pattern, so that no id becomes a label. */
export function measureCalls(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    if (!request.path.startsWith('/api/')) return next();
    const began = process.hrtime.bigint();
    response.once('close', () => {
      const route: unknown = (request.route as { path?: unknown } | undefined)?.path;
      metrics.calls.observe(
        {
          method: request.method,
          route: typeof route === 'string' ? route : 'unknown',
          // The client disconnected before the response.
          status: response.writableFinished ? String(response.statusCode) : 'aborted',
        },
        Number(process.hrtime.bigint() - began) / 1e9,
      );
    });
    next();
  };
}
