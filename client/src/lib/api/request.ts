import type { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER } from '#contracts/borrowing/borrow-views.js';
import { problemSchema } from '#contracts/problem.js';
import { session } from '../session.js';
import { RequestError } from './request-error.js';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  query?: Record<string, string | number>;
  /** Sent as JSON; a FormData as a multipart form. */
  body?: unknown;
  /** The same for every attempt at the same intention. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const BASE = '/api/';

/** Calls the server and checks the answer against its contract. Throws RequestError when it is refused. */
export async function request<Schema extends z.ZodType>(
  answer: Schema,
  path: string,
  options: RequestOptions = {},
): Promise<z.infer<Schema>> {
  const { method = 'GET', query, body, signal } = options;
  let response: Response;
  try {
    response = await fetch(urlOf(path, query), {
      method,
      headers: headersOf(options),
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, 'No answer', null);
  }
  const content: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const problem = problemSchema.safeParse(content);
    throw new RequestError(response.status, response.statusText, problem.success ? problem.data : null);
  }
  return answer.parse(content);
}

function urlOf(path: string, query: RequestOptions['query']): string {
  if (!query) return BASE + path;
  const entries = Object.entries(query).map(([key, value]) => [key, String(value)]);
  return `${BASE}${path}?${new URLSearchParams(entries).toString()}`;
}

function headersOf({ method = 'GET', body, idempotencyKey }: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const user = session.current();
  if (user) headers.Authorization = `Bearer ${user.token}`;
  if (body !== undefined && !(body instanceof FormData)) headers['Content-Type'] = 'application/json';
  if (idempotencyKey) headers[IDEMPOTENCY_KEY_HEADER] = idempotencyKey;
  const crossSiteToken = method === 'GET' ? undefined : cookie('XSRF-TOKEN');
  if (crossSiteToken) headers['X-XSRF-TOKEN'] = crossSiteToken;
  return headers;
}

function cookie(name: string): string | undefined {
  const pair = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`));
  return pair && decodeURIComponent(pair.slice(name.length + 1));
}
