import type { z } from 'zod';
import type { ApiDescription } from './api-description.js';
import { startProduct } from '../../test-support/product.js';
import { shared } from '../../test-support/shared.js';

// oxlint-disable-next-line typescript/no-explicit-any
type Anything = any;

/** A query of which something can be said: some calls take none, and refuse any. */
const hasFieldsOf = (query: z.ZodType) => Object.keys((query as z.ZodObject).shape ?? {}).length > 0;

describe('the description of the API', () => {
  let description: ApiDescription;
  const get = (path: string) => fetch(`${product.url}/${path}`);

  const product = shared(() => startProduct());
  beforeAll(async () => {
    description = (await (await get('api/docs-json')).json()) as ApiDescription;
  });

  const operationOf = (method: string, path: string): Anything =>
    description.paths[`/${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()];

  it('wears the faces of the house, as all pages do that the site does not build', async () => {
    const page = await (await get('api/docs')).text();
    const style = /@font-face[^}]*url\('\/(type\/[^']+)'\)/.exec(page)?.[1];
    const font = await get(String(style));
    expect([font.status, font.headers.get('content-type')]).toEqual([200, 'font/woff2']);
    expect(page).toContain('<title>The dating app: the API</title>');
    expect((await get('type/../package.json')).status).toBe(404);
  });

  // spec 7.20
  it('has every call of the app, with who may make it, what it takes and what it answers', () => {
    expect(product.routes.length).toBeGreaterThan(15);
    const described = Object.values(description.paths).flatMap((path) => Object.keys(path));
    expect(described).toHaveLength(product.routes.length);
    const incomplete = product.routes.flatMap((route) => {
      const call = `${route.method} ${route.path}`;
      const operation = operationOf(route.method, route.path);
      if (!operation) return [`${call} is missing`];
      const hasFields = (schema: Anything) =>
        Object.keys(schema?.properties ?? schema?.items ?? schema?.oneOf ?? schema?.anyOf ?? {}).length > 0;
      const content = operation.requestBody?.content ?? {};
      return [
        route.allowed.length === 0 && `${call} is allowed to nobody`,
        operation['x-allowed'].join() !== route.allowed.join() && `${call} is said to be for others`,
        route.query.some(hasFieldsOf) &&
          !operation.parameters?.some((each: Anything) => each.in === 'query') &&
          `${call} has no query`,
        (route.body ?? route.multipart) &&
          !hasFields(content['application/json']?.schema ?? content['multipart/form-data']?.schema) &&
          `${call} has no body`,
        !operation.responses[route.status].content && `${call} does not say what it answers`,
        !operation.responses.default && `${call} does not say how it refuses`,
      ].filter((line) => typeof line === 'string');
    });
    expect(incomplete).toEqual([]);
  });

  it('knows the calls that a controller’s own lines name', () => {
    // Written here by hand: what the metadata gives is not measured by itself alone.
    expect(operationOf('PUT', 'User/roles')).toMatchObject({
      'x-allowed': ['Admin'],
      security: [{ session: [] }],
      parameters: [{ name: 'id', in: 'query', required: true, schema: { type: 'string', format: 'uuid' } }],
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['roles'],
              properties: { roles: { type: 'array', items: { enum: ['Reader', 'Admin', 'Auditor'] } } },
            },
          },
        },
      },
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    });
    const { parameters } = operationOf('GET', 'User');
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      'SortBy',
      'SearchTerm',
      'Kind',
      'pageNumber',
      'pageSize',
    ]);
    expect(parameters[0].schema).toMatchObject({ enum: ['Username', 'Name'], default: 'Username' });
    expect(operationOf('GET', 'User/userId/:id').parameters).toMatchObject([
      { name: 'id', in: 'path', required: true },
    ]);
    expect(operationOf('POST', 'Account/login').security).toEqual([]);
    expect(operationOf('POST', 'Account/register').responses).toHaveProperty('201');
    expect(
      operationOf('POST', 'Borrow/rent-books').parameters.map(({ name }: { name: string }) => name),
    ).toEqual(['idempotency-key']);
    const renewing = operationOf('POST', 'Borrow/renew');
    expect(renewing.parameters).toMatchObject([
      { name: 'borrowId', required: true },
      { name: 'userId', required: false },
      { name: 'dueDate', required: false, schema: { description: expect.stringContaining('extended once') } },
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
