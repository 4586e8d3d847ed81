import { Router, text, type Request, type Response } from 'express';
import type { OaiRepository } from './repository.js';

/** Arguments are short; a token is the longest of them. */
const BODY_LIMIT = '10kb';

/** Serves harvesters, by GET and by POST as the protocol has both. */
export function oaiRoutes(repository: OaiRepository): Router {
  const answer = async (response: Response, asked: URLSearchParams) => {
    response.setHeader('cache-control', 'no-store');
    response.type('text/xml').send(await repository.answer(asked));
  };
  const router = Router();
  router.get('/', ({ originalUrl }, response) =>
    answer(response, new URL(originalUrl, 'http://localhost').searchParams),
  );
  router.post(
    '/',
    text({ type: 'application/x-www-form-urlencoded', limit: BODY_LIMIT }),
    ({ body }: Request<unknown, unknown, unknown>, response) =>
      answer(response, new URLSearchParams(typeof body === 'string' ? body : '')),
  );
  return router;
}
