import type { z } from 'zod';
import { UNATTENDED_HEADER } from '#contracts/accounts/account-requests.js';
import { IDEMPOTENCY_KEY_HEADER } from '#contracts/idempotency.js';
import { problemSchema } from '#contracts/problem.js';
import { confirmIdentity } from '../identity.js';
import { session } from '../session.js';
import { waitForPerson } from '../waiting-for-person.js';
import { RequestError } from './request-error.js';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** What is undefined is left out; a list repeats its parameter. */
  query?: Record<string, string | number | readonly (string | number)[] | undefined>;
  /** Sent as JSON; a FormData as a multipart form. */
  body?: unknown;
  /** The same for every attempt at the same request. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const BASE = '/api/';
/** Characters of a text that a toast still shows. */
const LONGEST_WORDS = 300;

/** Calls the server and checks the answer against its contract. Throws RequestError when it is refused. */
export async function request<Schema extends z.ZodType>(
  answer: Schema,
  path: string,
  options: RequestOptions = {},
): Promise<z.infer<Schema>> {
  const response = await accepted(path, options);
  return answer.parse(await response.json().catch(() => null));
}

/** Calls the server for a file. Throws RequestError when it is refused, or broken off before the file's end. */
export async function requestFile(path: string, options: RequestOptions = {}): Promise<Blob> {
  const response = await accepted(path, options);
  return answered(response.blob(), options.signal);
}

/** The answer of a call that was not refused. One that needs a confirmation is repeated once the person gave it. */
async function accepted(path: string, options: RequestOptions): Promise<Response> {
  try {
    return await answerTo(path, options);
  } catch (error) {
    const isNeeded = error instanceof RequestError && error.problem?.code === 'ConfirmationNeeded';
    if (isNeeded && (await waitForPerson(confirmIdentity()))) return answerTo(path, options);
    throw error;
  }
}

async function answerTo(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query, body, signal } = options;
  const began = performance.now();
  const call = fetch(urlOf(path, query), {
    method,
    headers: headersOf(options),
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const response = await answered(call, signal);
  if (response.ok) return response;
  throw await refusalOf(response, performance.now() - began);
}

/** A refusal with its problem; or with its words, where something on the way answered a plain text. */
async function refusalOf(response: Response, took: number): Promise<RequestError> {
  const { status, statusText } = response;
  if (response.headers.get('content-type')?.startsWith('text/plain')) {
    const words = (await response.text().catch(() => '')).trim();
    return new RequestError(status, statusText, null, words.slice(0, LONGEST_WORDS), took);
  }
  const problem = problemSchema.safeParse(await response.json().catch(() => null));
  return new RequestError(status, statusText, problem.success ? problem.data : null, '', took);
}

/** What comes over the network; a network that fails is a RequestError as well. */
async function answered<Answer>(coming: Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    return await coming;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new RequestError(0, 'No answer', null);
  }
}

function urlOf(path: string, query: RequestOptions['query']): string {
  if (!query) return BASE + path;
  const entries = Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).map((each) => [key, String(each)]),
  );
  return `${BASE}${path}?${new URLSearchParams(entries).toString()}`;
}

function headersOf({ method = 'GET', body, idempotencyKey }: RequestOptions): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const user = session.current();
  if (user) headers.Authorization = `Bearer ${user.token}`;
  if (user && !isAttended()) headers[UNATTENDED_HEADER] = '1';
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

/** A page that nobody has touched for longer asks the server by itself, and not for a person. */
const ATTENDED_FOR_MS = 60_000;

let lastSeen = Date.now();

for (const sign of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const) {
  window.addEventListener(sign, () => (lastSeen = Date.now()), { passive: true, capture: true });
}

/** Whether somebody sits at the page: what it asks for meanwhile counts as use of the session. */
function isAttended(): boolean {
  return Date.now() - lastSeen < ATTENDED_FOR_MS;
}
