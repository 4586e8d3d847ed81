import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

const current = new AsyncLocalStorage<string>();

/** The id of the request that is being answered; it goes into events, jobs and log lines. */
export function correlationId(): string {
  return current.getStore() ?? randomUUID();
}

const HEADER = 'x-correlation-id';

/** Takes the caller's correlation id where it looks like one, else makes one, and answers with it. */
export function correlation(request: Request, response: Response, next: NextFunction): void {
  const given = request.header(HEADER);
  const id = given !== undefined && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
  response.setHeader(HEADER, id);
  current.run(id, next);
}
