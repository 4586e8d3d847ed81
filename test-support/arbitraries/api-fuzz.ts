import type { Call } from '#contracts/call.js';
import type { Allowed } from '#contracts/permissions.js';
import { packageRoot } from '#platform/package-root.js';
import type { ApiDescription } from '../../server/http/api-description.js';
import type { Chance } from './chance.js';
import { declaredCalls } from '../product/declared-calls.js';
import { RequestFuzzer, type FuzzedRequest, type Operation } from './fuzzed-request.js';

/** What an answer has only where an error speaks of its inside. */
const INSIDE = [
  /\n\s+at .+:\d+:\d+/,
  /\b(?:TypeError|ReferenceError|RangeError|ZodError|QueryFailedError|EntityNotFound)\b/,
  /syntax error at or near|relation "|violates (?:\w+-?)+ constraint|invalid input syntax|duplicate key value|SQLSTATE/i,
  /Cannot read propert|is not a function|is not iterable|Unexpected token/,
  /node_modules|ECONNREFUSED|ENOENT/,
];

/** Printing takes a browser and seconds: these are asked for what is refused before anything is printed. */
const REFUSED_AT_ONCE: Record<string, string> = {
  'GET /Dashboard/bookRaport': '?x=1',
  'GET /Dashboard/generate-stickers': '?columns=0',
};
const NEVER_VALID = new Set(['POST /Dashboard/reports']);

/** Requests that are under way at once: while the server works on some, others are made. */
const AT_ONCE = 4;

export interface FuzzOptions {
  url: string;
  chance: Chance;
  /** What the caller may do. */
  may: readonly Allowed[];
  /** How often each call is made that the caller may make. Of the others one is tried after every three of these. */
  rounds: number;
  /** The caller's token, taken anew where a session has ended: a call may end one's own. */
  token: () => Promise<string | undefined>;
  /** Of a device. */
  cookie?: string;
  /** Ids and numbers that mean something. */
  known: readonly (string | number)[];
  /** What must be in no answer to this caller. */
  secrets: readonly string[];
  /** Reports are asked for too, as the schema has them. */
  prints?: boolean;
}

/** How the requests were answered, and everything that should not have been. */
export interface FuzzOutcome {
  statuses: Record<number, number>;
  requests: number;
  faults: string[];
}

/** Sends requests of the calls of the OpenAPI document, and looks at each answer. */
export async function fuzzApi(options: FuzzOptions): Promise<FuzzOutcome> {
  const { url, chance, known } = options;
  const description = (await (await fetch(`${url}/api/docs-json`)).json()) as ApiDescription;
  const operations = inTurn(description, options);
  const fuzzer = new RequestFuzzer(chance, known);
  const outcome: FuzzOutcome = { statuses: {}, requests: operations.length, faults: [] };
  const calls = new Map([...(await declaredCalls())].map((call) => [operationName(call), call]));
  let token = await options.token();
  for (let turn = 0; turn < operations.length; turn += AT_ONCE) {
    const requests = operations.slice(turn, turn + AT_ONCE).map(async (operation) => {
      const request = harmless(fuzzer.of(operation), operation, options);
      const { status, fault } = await send(request, calls.get(operationName(operation)), token, options);
      outcome.statuses[status] = (outcome.statuses[status] ?? 0) + 1;
      if (fault !== undefined) outcome.faults.push(`${told(request)}: ${fault}`);
      return status;
    });
    if ((await Promise.all(requests)).includes(401) && token !== undefined) token = await options.token();
  }
  return outcome;
}

const operationName = ({ method, path }: Pick<Operation, 'method' | 'path'>) =>
  `${method} ${path.replace(/:(\w+)/g, '{$1}')}`;

/** What is called, in that order: mostly what the caller may call. */
function inTurn({ paths }: ApiDescription, { chance, may, rounds }: FuzzOptions): Operation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      allowed: operation['x-allowed'] as Allowed[],
    })),
  );
  const isOpen = ({ allowed }: (typeof operations)[number]) => allowed.some((each) => may.includes(each));
  const [open, closed] = [operations.filter(isOpen), operations.filter((each) => !isOpen(each))];
  return Array.from({ length: rounds }, () => open)
    .flat()
    .flatMap((operation, index) =>
      closed.length > 0 && index % 3 === 2 ? [operation, chance.pick(closed)] : [operation],
    );
}

function harmless(
  request: FuzzedRequest,
  { method, path }: Operation,
  { prints }: FuzzOptions,
): FuzzedRequest {
  const call = `${method} ${path}`;
  if (prints) return request;
  const query = REFUSED_AT_ONCE[call];
  if (query !== undefined) return { ...request, path: path + query };
  return NEVER_VALID.has(call) ? { ...request, body: '{"kind":"none"}' } : request;
}

async function send(
  { method, path, headers, body }: FuzzedRequest,
  call: Call | undefined,
  token: string | undefined,
  { url, secrets, cookie }: FuzzOptions,
): Promise<{ status: number; fault?: string }> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(cookie !== undefined && { cookie }),
    },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const text = await response.text();
  const whole = `${[...response.headers].map((header) => header.join(': ')).join('\n')}\n${text}`;
  const fault = faultOf(status, whole, secrets) ?? (status < 300 ? mismatch(call, text) : undefined);
  return { status, ...(fault !== undefined && { fault }) };
}

function faultOf(status: number, answer: string, secrets: readonly string[]): string | undefined {
  if (status >= 500) return `${status}: ${answer.slice(-500)}`;
  const leak = INSIDE.find((pattern) => pattern.test(answer))?.source;
  if (leak !== undefined) return `${status} speaks of its inside (${leak}): ${answer.slice(-500)}`;
  if (answer.includes(packageRoot())) return `${status} names a folder: ${answer.slice(-500)}`;
  const secret = secrets.find((each) => answer.includes(each));
  return secret === undefined ? undefined : `${status} has the secret ${secret}: ${answer.slice(-500)}`;
}

/** What was answered has to be what the document promises. */
function mismatch(call: Call | undefined, text: string): string | undefined {
  if (!call || typeof call.answer === 'string' || text === '') return undefined;
  const { error } = (call.forms ?? call.answer).safeParse(JSON.parse(text));
  return error && `the answer is not what is promised: ${error.message.slice(0, 300)}`;
}

function told({ method, path, headers, body }: FuzzedRequest): string {
  const sent =
    body instanceof FormData
      ? [...body].map(([name, value]) => `${name}=${typeof value === 'string' ? value : 'file'}`).join('&')
      : body;
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${(sent ?? '').slice(0, 500)}`;
}
