import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';

/** A call that a screen made. */
export interface ApiCall {
  /** For instance `GET Book`, without the query. */
  route: string;
  query: Record<string, string>;
  /** An object of JSON; of a form its fields by their names. */
  body: unknown;
}

export interface ApiAnswer {
  status: number;
  body: unknown;
}

type Route = ApiAnswer | ((call: ApiCall) => ApiAnswer | Promise<ApiAnswer>);

export const answered = (body: unknown): ApiAnswer => ({ status: 200, body });

export const refused = (code: ProblemCode, detail: string, errors?: Record<string, string[]>): ApiAnswer => ({
  status: PROBLEMS[code],
  body: { code, title: code, status: PROBLEMS[code], detail, ...(errors && { errors }) },
});

/** A page that has everything. */
export const pageOf = (...items: unknown[]): ApiAnswer => answered({ items, totalCount: items.length });

/**
 * Answers the calls of a screen in its tests. A call without a route fails as if the network did.
 * @param routes by method and path; may be changed between calls
 * @returns the calls, as they come
 */
export function fakeApi(routes: Record<string, Route>): ApiCall[] {
  const calls: ApiCall[] = [];
  globalThis.fetch = (async (address: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const call: ApiCall = {
      route: `${method} ${pathname.replace('/api/', '')}`,
      query: Object.fromEntries(searchParams),
      body: bodyOf(body),
    };
    calls.push(call);
    const route = routes[call.route];
    if (!route) throw new TypeError(`There is no route ${call.route}.`);
    const answer = typeof route === 'function' ? await route(call) : route;
    return {
      ok: answer.status < 400,
      status: answer.status,
      statusText: '',
      headers: new Map([['content-type', 'application/json']]),
      json: () => Promise.resolve(answer.body),
    };
  }) as unknown as typeof fetch;
  return calls;
}

function bodyOf(body: unknown): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  return undefined;
}
