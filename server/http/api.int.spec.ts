import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { call, type Call } from '#contracts/call.js';
import { MAX_PAGE_SIZE, pagedSchema } from '#contracts/paging.js';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { declaredCalls } from '../../test-support/product/declared-calls.js';
import { startProduct } from '../../test-support/product/product.js';
import { shared } from '../../test-support/shared.js';
import { unlimitedParts, type AnswerSchema } from '../../test-support/arbitraries/unlimited-parts.js';
import { untilServed, waitFor } from '../../test-support/wait-for.js';
import { type ApiDescription, describeApi } from './api-description.js';

const product = shared(() => startProduct());

const TOKEN = 'k'.repeat(43);

describe('the cross-site token', () => {
  const reader = shared(() => product.account());

  const rent = async (headers: Record<string, string>) =>
    reader.post('Borrow/rent-books', { bookIds: [await product.book(1)] }, headers);

  // spec 7.2
  it('lets through whoever sends no cookie, and whoever sends the same twice', async () => {
    expect((await rent({})).status).toBe(200);
    expect((await rent({ cookie: `other=1; XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': TOKEN })).status).toBe(200);
    expect((await rent({ cookie: 'other=1' })).status).toBe(200);
    expect((await rent({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it.each([
    ['the cookie alone', { cookie: `XSRF-TOKEN=${TOKEN}` }],
    ['another token', { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': 'j'.repeat(43) }],
    ['a longer token', { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': `${TOKEN}k` }],
    ['an empty cookie and another token', { cookie: 'XSRF-TOKEN=', 'x-xsrf-token': TOKEN }],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another site, token and all',
      { cookie: `XSRF-TOKEN=${TOKEN}`, 'x-xsrf-token': TOKEN, 'sec-fetch-site': 'cross-site' },
    ],
  ])('refuses %s, and nothing is done', async (_what, headers: Record<string, string>) => {
    const other = await product.account();
    const bookIds = [await product.book(1)];
    const { status, body } = await other.post('Borrow/rent-books', { bookIds }, headers);
    expect([status, body.code]).toEqual([403, 'CrossSiteRequest']);
    expect((await other.get('Borrow/history')).body).toEqual([]);
  });

  it('refuses before it looks at who calls, and leaves reading alone', async () => {
    const call = (method: string, path: string) =>
      fetch(`${product.url}/api/${path}`, { method, headers: { 'sec-fetch-site': 'cross-site' } });
    for (const [method, path] of [
      ['POST', 'Account/login'],
      ['PUT', 'User'],
      ['DELETE', 'Book/1'],
    ] as const) {
      expect(await (await call(method, path)).json()).toMatchObject({ code: 'CrossSiteRequest' });
    }
    expect((await call('GET', 'Book')).status).toBe(200);
    expect((await call('HEAD', 'Book')).status).toBe(200);
  });
});

// That it comes over https alone where people come so: `public-surface.int.spec.ts`.
describe('the page of the site', () => {
  const given = async (cookie = '') => {
    const response = await fetch(product.url, { headers: { cookie } });
    await response.text();
    return response.headers.getSetCookie().filter((each) => each.startsWith('XSRF-TOKEN='));
  };

  // spec 9.13
  it('brings a random token that its script can read and no other site is sent', async () => {
    const [cookie, another] = [...(await given()), ...(await given())];
    expect(cookie).toMatch(/^XSRF-TOKEN=[\w-]{43}; Path=\/; SameSite=Lax$/);
    expect(another).not.toBe(cookie);
  });

  it('leaves a browser the one that it has, so that pages already open go on working', async () => {
    expect(await given(`a=b; XSRF-TOKEN=${TOKEN}`)).toEqual([]);
    expect(await given('XSRF-TOKEN=guessed')).toHaveLength(1);
  });
});

// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

/** A query of which something can be said: some calls take none, and refuse any. */
const hasFieldsOf = (query: z.ZodType) => Object.keys((query as z.ZodObject).shape ?? {}).length > 0;

const get = (path: string) => fetch(`${product.url}/${path}`);
const description = shared(async () => (await (await get('api/docs-json')).json()) as ApiDescription);

describe('the description of the API', () => {
  let served: Call[];
  beforeAll(async () => {
    // The provider's own call is there only where it is set (`stripe.int.spec.ts`).
    served = [...(await declaredCalls())].filter(({ path }) => path !== 'Payment/webhook');
  });

  const operationOf = (method: string, path: string): Anything =>
    description.paths[`/${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];

  it('wears the faces of the house, as all pages do that the site does not build', async () => {
    const page = await (await get('api/docs')).text();
    const style = /@font-face[^}]*url\('\/(type\/[^']+)'\)/.exec(page)?.[1];
    const font = await get(String(style));
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(page).toContain('<title>Lectern: the API</title>');
    expect((await get('type/../package.json')).status).toBe(404);
  });

  // spec 7.20
  it('has every call of the app, with who may make it, what it takes and what it answers', () => {
    const incomplete = served.flatMap((route) => {
      const call = `${route.method} ${route.path}`;
      const operation = operationOf(route.method, route.path);
      if (!operation) return [`${call} is missing`];
      const hasFields = (schema: Anything) =>
        Object.keys(schema?.properties ?? schema?.items ?? schema?.oneOf ?? schema?.anyOf ?? {}).length > 0;
      const content = operation.requestBody?.content ?? {};
      return [
        route.may.length === 0 && `${call} is allowed to nobody`,
        operation['x-allowed'].join() !== route.may.join() && `${call} is said to be for others`,
        route.query &&
          hasFieldsOf(route.query) &&
          !operation.parameters?.some((each: Anything) => each.in === 'query') &&
          `${call} has no query`,
        route.body &&
          !hasFields(content['application/json']?.schema ?? content['multipart/form-data']?.schema) &&
          `${call} has no body`,
        !operation.responses[route.status ?? 200].content && `${call} does not say what it answers`,
        !operation.responses.default && `${call} does not say how it refuses`,
      ].filter((line) => typeof line === 'string');
    });
    expect(incomplete).toEqual([]);
    const described = Object.values(description.paths).flatMap((path) => Object.keys(path));
    expect(described).toHaveLength(served.length);
  });

  it('is of what is declared: each call has one handler, and each handler a call', async () => {
    const handlers = await product.handlers();
    const handled = handlers.flatMap(({ call }) => call ?? []);
    expect(handled.sort()).toEqual(served.map(({ method, path }) => `${method} ${path}`).sort());
    // The sandbox, which stands in for the provider of payments, has pages besides.
    const others = handlers.filter(({ call }) => call === undefined).map(({ name }) => name);
    expect(others).toEqual(['show', 'pay', 'decline'].map((name) => `SandboxController.${name}`));
  });

  it('knows the calls that a controller’s own lines name', () => {
    // Written here by hand: what the metadata gives is not measured by itself alone.
    expect(operationOf('PUT', 'User/roles')).toMatchObject({
      'x-allowed': ['roles'],
      security: [{ session: [] }],
      parameters: [{ name: 'id', in: 'query', required: true, schema: { type: 'string', format: 'uuid' } }],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['roles'],
              properties: {
                roles: {
                  type: 'array',
                  items: {
                    anyOf: [
                      { enum: ['Reader', 'Librarian', 'Cataloguer', 'Auditor', 'Admin'] },
                      { format: 'uuid' },
                    ],
                  },
                },
              },
            },
          },
        },
      },
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    });
    expect(operationOf('POST', 'Account/login').security).toEqual([]);
    const renewing = operationOf('POST', 'Borrow/renew');
    expect(renewing.parameters).toMatchObject([
      { name: 'borrowId', required: true },
      { name: 'userId', required: false },
      { name: 'dueDate', required: false, schema: { description: expect.stringContaining('extended once') } },
      { name: 'beyondLimit', required: false },
      { name: 'idempotency-key', description: expect.stringContaining('24 hours') },
    ]);
    expect(renewing.responses).toHaveProperty('422');
  });

  it('is an OpenAPI document: every reference leads somewhere, every name in a path is a parameter, ids are unique', () => {
    expect(description.openapi).toBe('3.1.0');
    expect(description.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
    const references = [...JSON.stringify(description).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(references).toContain('#/components/schemas/Problem');
    for (const reference of new Set(references)) {
      const found = (reference ?? '')
        .slice(2)
        .split('/')
        .reduce<Anything>((part, name) => part?.[name], description);
      expect([reference, typeof found]).toEqual([reference, 'object']);
    }
    const ids: string[] = [];
    for (const [path, operations] of Object.entries(description.paths)) {
      expect(path).toMatch(/^\/[\w/{}-]+$/);
      for (const [method, operation] of Object.entries(operations) as [string, Anything][]) {
        expect(['get', 'post', 'put', 'delete', 'patch']).toContain(method);
        ids.push(operation.operationId);
        expect(Object.keys(operation.responses).every((status) => /^([1-5]\d\d|default)$/.test(status))).toBe(
          true,
        );
        const parameters = (operation.parameters ?? []) as { name: string; in: string; schema: object }[];
        const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect(inPath).toEqual([...path.matchAll(/{(\w+)}/g)].map(([, name]) => name));
        expect(new Set(parameters.map((each) => `${each.in} ${each.name}`)).size).toBe(parameters.length);
        for (const { schema } of parameters) expect(typeof schema).toBe('object');
        if (method === 'get') expect(operation.requestBody).toBeUndefined();
      }
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is shown to people by files of the product, under its own policy', async () => {
    const page = await get('api/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source]) => source ?? '');
    expect(sources.some((source) => source.endsWith('swagger-ui-bundle.js'))).toBe(true);
    for (const source of sources) {
      const url = new URL(source, `${product.url}/api/docs`);
      expect([source, url.origin]).toEqual([source, product.url]);
      const file = await fetch(url);
      expect([source, file.status]).toEqual([source, 200]);
      await file.arrayBuffer();
    }
    // Nothing in the page itself that the policy would stop.
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });
});

/** An event as it is in the log, which takes none above a megabyte. */
const EVENTS_AS_STORED =
  /^GET \/Audit\/readers\/{readerId}\/events(\/{revision} | \.items\[\])\.(data|metadata){}$/;

/** Every part of an answer that does not say how long it is at most. */
function unlimitedIn({ paths }: ApiDescription): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]: [string, Anything]) =>
      Object.values(responses).flatMap((response: Anything) => {
        const schema = response.content?.['application/json']?.schema as AnswerSchema | undefined;
        return schema ? unlimitedParts(schema, `${method.toUpperCase()} ${path} `) : [];
      }),
    ),
  );
}

describe('the answers of the API', () => {
  const admin = shared(() => product.account('Admin', 'Auditor'));

  it('all say how long they are at most', () => {
    expect(unlimitedIn(description).filter((part) => !EVENTS_AS_STORED.test(part))).toEqual([]);
  });

  it.each<[string, z.ZodType, string[]]>([
    ['a list', z.array(z.string()), ['[]']],
    ['a list in a page', pagedSchema(z.object({ tags: z.array(z.string()) })), ['.items[].tags[]']],
    [
      'a list where there may be none',
      z.object({ found: z.array(z.int()).nullable().optional() }),
      ['.found[]'],
    ],
    ['a list in one of several', z.union([z.object({ a: z.int() }), z.array(z.int())]), ['[]']],
    ['a list in a tuple', z.tuple([z.int(), z.array(z.int())]), ['[]']],
    ['a tuple that goes on', z.tuple([z.int()], z.string()), ['[]']],
    ['names that nobody knows', z.object({ byName: z.record(z.string(), z.int()) }), ['.byName{}']],
    ['a list under names', z.record(z.enum(['a']), z.array(z.int())), ['{}[]']],
    ['anything', z.object({ more: z.unknown() }), ['.more?']],
    ['what holds its limit', z.array(z.record(z.enum(['a', 'b']), z.int())).max(3), []],
  ])('are found out where a new call would answer %s', (_what, schema, parts) => {
    const added = {
      ...call('GET Seeded', { may: ['books'], answer: schema }),
      tag: 'Seeded',
      handler: 'list',
    };
    expect(unlimitedIn(describeApi([added], 'Seeded'))).toEqual(parts.map((part) => `GET /Seeded ${part}`));
  });

  // spec 7.12, 7.13, 7.14
  it.each([
    ['Author', 'author (firstname, lastname)', `'Jan', 'Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
    ['Genre', 'genre (name)', `'Jan Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
    ['Publisher', 'publisher (name)', `'Jan Kowalski ' || lpad(n::text, 4, '0')`, 'Jan Kowalski'],
  ])('of GET %s has a page, and each of a thousand is reached', async (path, table, values, name) => {
    await product.database.query(`insert into ${table} select ${values} from generate_series(1, 1100) n`);
    const list = async (query: string) => (await admin.get(`${path}${query}`)).body as { id: number }[];
    expect(await list('')).toHaveLength(MAX_PAGE_SIZE);
    expect((await admin.get(`${path}?pageSize=${MAX_PAGE_SIZE + 1}`)).status).toBe(400);
    const reached = new Set<number>();
    for (let page = 1; page <= 12; page += 1) {
      for (const { id } of await list(`?pageNumber=${page}`)) reached.add(id);
    }
    expect(reached.size).toBeGreaterThanOrEqual(1100);
    expect(await list(`?SearchTerm=kowalski%201034%20JAN`)).toHaveLength(1);
    // One whose name is a part of all the others' is the first that its name finds.
    const field = path === 'Author' ? '(firstname, lastname)' : '(name)';
    const named = path === 'Author' ? `('Ján', 'Kowalski')` : `('${name}')`;
    await product.database.query(`insert into ${path.toLowerCase()} ${field} values ${named}`);
    const [first] = (await list(`?SearchTerm=${encodeURIComponent(name)}`)) as {
      fullname?: string;
      name?: string;
    }[];
    expect(['Ján Kowalski', 'Jan Kowalski']).toContain(first?.fullname ?? first?.name);
  });

  it('of the own borrows come in pages, now and in the past', async () => {
    const reader = await product.account();
    await product.storeHistory(reader.pseudonym, 800);
    // All that follows the log is at these events too: a call may be told to come again.
    const history = async (query: string) =>
      (await untilServed(() => reader.get(`Borrow/history${query}`))).body;
    await waitFor(async () => (await history('?pageNumber=1&pageSize=1')).totalCount > MAX_PAGE_SIZE);
    expect(await history('')).toHaveLength(MAX_PAGE_SIZE);
    const past = await history('?at=2099-01-01T00:00:00.000Z');
    expect(past.items).toHaveLength(MAX_PAGE_SIZE);
    expect(past.totalCount).toBeGreaterThan(MAX_PAGE_SIZE);
    const second = await history('?at=2099-01-01T00:00:00.000Z&pageNumber=2&pageSize=100');
    expect(second.items[0].id).not.toBe(past.items[0].id);
    expect(second.items).toHaveLength(MAX_PAGE_SIZE);
  });

  it('of the copies of a book have a page, and say of all where they are', async () => {
    const book = await product.book(230);
    const lost = (await admin.get(`Book/${book}/copies?pageNumber=12`)).body.items[9];
    expect((await admin.post(`Copy/${lost.code}/lost`)).status).toBe(200);
    const { body } = await admin.get(`Book/${book}/copies?pageNumber=3&pageSize=100`);
    expect(body).toMatchObject({ totalCount: 230, states: { 'on-shelf': 229, lost: 1, lent: 0 } });
    expect(body.items.map(({ copy }: { copy: number }) => copy)).toEqual(
      Array.from({ length: 30 }, (_, n) => 201 + n),
    );
    expect((await admin.get(`Book/${book + 1000}/copies`)).body.code).toBe('BookNotFound');
  });

  it('of the rules go on before a version', async () => {
    const { current, versions } = (await admin.get('Rules')).body as RulesOverview;
    const earlier = (await admin.get(`Rules?before=${versions[0]?.version}`)).body as RulesOverview;
    expect(earlier.versions).toEqual(versions.slice(1));
    expect(earlier.current).toEqual(current);
    expect((await admin.get('Rules?before=1')).body.versions).toEqual([]);
  });

  it('of changes of roles have a page', async () => {
    const whom = await product.account();
    await product.database.query(
      `insert into role_change (account_id, changed_by, at, given, taken)
       select $1, $2, now() + n * interval '1 minute', '{Auditor}', '{}' from generate_series(1, 130) n`,
      [whom.id, admin.id],
    );
    expect((await admin.get(`User/role-changes?id=${whom.id}`)).body).toHaveLength(MAX_PAGE_SIZE);
    expect((await admin.get(`User/role-changes?id=${whom.id}&pageNumber=2`)).body).toHaveLength(30);
    expect((await admin.get(`User/role-changes?id=${randomUUID()}`)).body.code).toBe('NotFound');
  });
});
