import { randomUUID } from 'node:crypto';
import type { ProblemCode } from '#contracts/problem.js';

/** An answer of the API. */
// oxlint-disable-next-line typescript/no-explicit-any
export interface Answer<Body = any> {
  status: number;
  body: Body;
}

/** The same with its headers. */
export interface FullAnswer extends Answer {
  headers: Headers;
}

export interface CallOptions {
  body?: unknown;
  token?: string | undefined;
  headers?: Record<string, string>;
}

/** Makes one call, as the given token or as nobody. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  { body, token, headers = {} }: CallOptions = {},
): Promise<FullAnswer> {
  const response = await fetch(`${url}/api/${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await bodyOf(response) };
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** An answer that refuses a command. @param detail the words, or what they have to match */
export const refusal = (status: number, code: ProblemCode, detail: unknown = expect.any(String)) => ({
  status,
  body: { code, detail },
});

/** An answer that finds fault with fields of a request. @param errors by field, or the one field */
export const invalid = (errors: string | Record<string, unknown>) => ({
  status: 400,
  body: { errors: typeof errors === 'string' ? { [errors]: expect.any(Array) } : errors },
});

/** Calls of the API with a token. */
export interface Caller {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  put: (path: string, body?: unknown) => Promise<Answer>;
  delete: (path: string, body?: unknown) => Promise<Answer>;
  /** Sends a multipart form. */
  send: (method: 'POST' | 'PUT', path: string, form: FormData) => Promise<Answer>;
  /** The same caller at another server. */
  at: (url: string) => Caller;
  /** An answer that is no JSON. */
  download: (path: string) => Promise<Response>;
}

/** The header of a command that is the same one when it is sent again. */
export const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key });

/**
 * @param token empty for somebody who has none; a function gives the one of now
 * @param cookie of a device
 */
export function caller(url: string, token: string | (() => Promise<string>), cookie?: string): Caller {
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    fetch(`${url}/api/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
        // A multipart form names its own type, with its boundary.
        ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
        ...(cookie !== undefined && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  const call = async (...asked: Parameters<typeof ask>) => {
    const response = await ask(...asked);
    return { status: response.status, body: await bodyOf(response) };
  };
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body = {}, headers = {}) => call('POST', path, body, headers),
    put: (path, body = {}) => call('PUT', path, body),
    delete: (path, body) => call('DELETE', path, body),
    send: (method, path, form) => call(method, path, form),
    at: (other) => caller(other, token, cookie),
    download: (path) => ask('GET', path),
  };
}
