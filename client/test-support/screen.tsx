import { jest } from '@jest/globals';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation, type RouteObject } from 'react-router-dom';
import { toast } from 'react-toastify/unstyled';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import type { Reader } from '#contracts/accounts/reader.js';
import { builtInOf, rightsOf, type Role } from '#contracts/permissions.js';
import { PROBLEMS, type ProblemCode } from '#contracts/problem.js';
import { createAppQueryClient } from '../src/app/query-client.js';
import { ToastCorner } from '../src/lib/toast-corner.js';
import { session } from '../src/lib/session.js';
import { setAppNavigator } from '../src/lib/app-navigation.js';
import { RouterProvider } from '../src/lib/router/router-provider.js';
import type { SiteRouter } from '../src/lib/router/site-router.js';
import { createMemoryRouter } from './memory-router.js';

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
type Answers = Answer | ((call: Call) => Answer | Promise<Answer>);

/** A server that answers as the test says and remembers what it was asked. */
export function serverOf(answers: Record<string, Answers>) {
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

export const problem = (status: number, code: string, detail: string, errors?: Record<string, string[]>) =>
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

function Elsewhere() {
  const { pathname, search } = useLocation();
  const state = useLocation().state as unknown;
  return (
    <p data-testid="elsewhere" data-state={JSON.stringify(state)}>
      {pathname + search}
    </p>
  );
}

/** What happens outside components, and changes of the address, go through this router. */
function navigateBy(router: SiteRouter): void {
  setAppNavigator({
    here: () => router.state.location.pathname + router.state.location.search,
    go: (path, state) => router.navigate(path, { state }),
  });
}

/** Shows a screen at an address, with toasts and the global handling of failed calls; other paths show where one is. */
export function show(routes: RouteObject[], at: string) {
  toast.dismiss();
  const router = createMemoryRouter([...routes, { path: '*', element: <Elsewhere /> }], {
    initialEntries: [at],
  });
  navigateBy(router);
  const client = createAppQueryClient();
  client.setDefaultOptions({ queries: { retry: false }, mutations: { networkMode: 'always', retry: false } });
  const shown = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <ToastCorner />
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  return { ...shown, router, client, address, person: userEvent.setup() };
}

export const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
export const OTHER_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

export const userOf = (...roles: Role[]): SignedInUser => ({
  id: ID,
  username: 'anna',
  token: 'the-token',
  roles: ['Reader', ...roles],
  permissions: [...rightsOf(builtInOf(roles)).permissions],
  expiresAt: '2100-01-01T00:00:00Z',
});

export const readerOf = (changes: Partial<Reader> = {}): Reader => ({
  id: ID,
  userName: 'anna',
  email: 'anna@example.org',
  firstname: 'Anna',
  lastname: 'Nowak',
  fullname: 'Anna Nowak',
  dateOfBirth: '1994-03-08',
  gender: 'Female',
  country: 'Poland',
  city: 'Kraków',
  adress: 'ul. Piękna 12',
  postalCode: '30-001',
  created: '2026-01-15T10:00:00Z',
  roles: ['Reader'],
  kind: 'adult',
  ...{ phone: null, guardian: null, memberUntil: null },
  version: 3,
  ...changes,
});

/** Each test of a file is of what an admin sees. */
export function asAdmin(): void {
  beforeEach(() => session.begin(userOf('Admin')));
  afterEach(() => act(() => session.end()));
}
