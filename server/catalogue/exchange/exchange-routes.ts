import { Router, text, type Request, type Response } from 'express';

/** What answers the arguments of a request, whatever they are, with a document. */
interface Service {
  answer(asked: URLSearchParams): Promise<string>;
}

/** Arguments are short; a token or a query is the longest of them. */
const BODY_LIMIT = '10kb';

/** Serves other programs in XML, by GET and by POST. */
export function exchangeRoutes(services: Readonly<Record<string, Service>>): Router {
  const router = Router();
  for (const [path, service] of Object.entries(services)) {
    const answer = async (response: Response, asked: URLSearchParams) => {
      response.setHeader('cache-control', 'no-store');
      response.type('text/xml').send(await service.answer(asked));
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
