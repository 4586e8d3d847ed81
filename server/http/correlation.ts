import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const current = new AsyncLocalStorage<string>();

/** The correlation id of the current request; it goes into events, jobs and log lines. */
export function correlationId(): string {
  return current.getStore() ?? randomUUID();
}

const HEADER = 'x-correlation-id';

/** Uses the caller's correlation id if it is well formed, else generates one, and returns it in the response. */
export function correlation(request: Request, response: Response, next: NextFunction): void {
  const given = request.header(HEADER);
  const id = given !== undefined && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
  response.setHeader(HEADER, id);
  current.run(id, next);
}
