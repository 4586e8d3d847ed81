import { jest } from '@jest/globals';
import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';

export interface Call {
  /** For instance `POST Account/login`. */
  call: string;
  query: Record<string, string>;
  /** An object of JSON; of a form its fields by their names. */
  body: unknown;
  headers: Record<string, string>;
}

/** The answer to a call: a status and a body, or a function that gives them; `null` is a network that fails. */
export type Answer = readonly [status: number, body: unknown] | null;
type AnswerTo = Answer | ((call: Call) => Answer | Promise<Answer>);
/** What a server answers, by its calls. */
export type Answers = Record<string, AnswerTo>;

/** A server that answers as the test says and remembers what it was asked. */
export function serverOf(answers: Answers) {
  const calls: Call[] = [];
  globalThis.fetch = jest.fn(async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const call: Call = {
      call: `${init.method} ${pathname.replace('/api/', '')}`,
      query: Object.fromEntries(searchParams),
      body: bodyOf(init.body),
      headers: init.headers as Record<string, string>,
    };
    calls.push(call);
    const known = answers[call.call];
    if (known === undefined) throw new Error(`The test has no answer to ${call.call}.`);
    const answer = typeof known === 'function' ? await known(call) : known;
    if (answer === null) throw new TypeError('network');
    const [status, body] = answer;
    return {
      ok: status < 400,
      status,
      statusText: '',
      headers: new Map(),
      json: async () => body,
      blob: async () => body,
    } as unknown as Response;
  }) as unknown as typeof fetch;
  return {
    calls,
    answers,
    asked: (call: string) => calls.filter((each) => each.call === call),
  };
}

const problem = (status: number, code: string, detail: string, errors?: Record<string, string[]>) =>
  [status, { code, title: code, status, detail, ...(errors && { errors }) }] as const;

function bodyOf(body: RequestInit['body']): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof FormData ? Object.fromEntries(body.entries()) : undefined;
}

export const answered = (body: unknown): Answer => [200, body];

/** A page that has everything. */
export const pageOf = (...items: unknown[]) => answered({ items, totalCount: items.length });

export const refused = (code: ProblemCode, detail: string, errors?: Record<string, string[]>) =>
  problem(PROBLEMS[code], code, detail, errors);

/** An answer that comes when the test says so. */
export function later() {
  let come: (answer: Answer) => void = () => undefined;
  const answer = new Promise<Answer>((resolve) => (come = resolve));
  return { answer: () => answer, come: (...given: [number, unknown]) => come(given) };
}
