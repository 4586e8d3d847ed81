import { Router, text, type Request, type Response } from 'express';
import { markup, type Markup } from '#platform/markup.js';

/** What answers the arguments of a request, whatever they are, with a document. */
interface Service {
  answer(asked: URLSearchParams): Promise<Markup>;
}

/** Arguments are short; a token or a query is the longest of them. */
const BODY_LIMIT = '10kb';

/** Serves other programs in XML, by GET and by POST. */
export function exchangeRoutes(services: Readonly<Record<string, Service>>): Router {
  const router = Router();
  for (const [path, service] of Object.entries(services)) {
    const answer = async (response: Response, asked: URLSearchParams) => {
      response.setHeader('cache-control', 'no-store');
      const document = markup`<?xml version="1.0" encoding="UTF-8"?>\n${await service.answer(asked)}\n`;
      response.type('text/xml').send(String(document));
    };
    router.get(path, ({ url }, response) => answer(response, new URL(url, 'http://localhost').searchParams));
    router.post(
      path,
      text({ type: 'application/x-www-form-urlencoded', limit: BODY_LIMIT }),
      ({ body }: Request<unknown, unknown, unknown>, response) =>
        answer(response, new URLSearchParams(typeof body === 'string' ? body : '')),
    );
  }
  return router;
}
