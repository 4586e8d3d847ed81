import type { RequestHandler } from 'express';
import type { Metrics } from '#platform/operations/metrics.js';

/** Measures every call of the API by its route as it is written in the code, so that no id becomes a label. */
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
          // The caller left before there was an answer.
          status: response.writableFinished ? String(response.statusCode) : 'aborted',
        },
        Number(process.hrtime.bigint() - began) / 1e9,
      );
    });
    next();
  };
}
