import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { callContext, inContext } from '#platform/deadline.js';

/** The correlation id of the current request; it goes into events, jobs and log lines. */
export function correlationId(): string {
  return callContext()?.correlationId ?? randomUUID();
}

const HEADER = 'x-correlation-id';

/** Uses the caller's correlation id if it is well formed, else generates one, and returns it in the response. */
export function correlation(request: Request, response: Response, next: NextFunction): void {
  const given = request.header(HEADER);
  const id = given !== undefined && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
  response.setHeader(HEADER, id);
  inContext({ correlationId: id }, next);
}
