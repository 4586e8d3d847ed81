import { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER } from '#contracts/idempotency.js';
import { problemSchema } from '#contracts/problem.js';
import { DEVICE_COOKIE } from './access.js';
import type { ApiRoute } from './api-routes.js';

type JsonObject = Record<string, unknown>;

/** An OpenAPI 3.1 document. */
export interface ApiDescription {
  openapi: string;
  info: JsonObject;
  servers: JsonObject[];
  tags: { name: string }[];
  paths: Record<string, Record<string, JsonObject>>;
  components: JsonObject;
}

/** Describes the calls as OpenAPI, from the same contracts that validate them. */
export function describeApi(routes: readonly ApiRoute[], title: string): ApiDescription {
  const paths: ApiDescription['paths'] = {};
  for (const route of routes) {
    const path = `/${route.path.replace(/:(\w+)/g, '{$1}')}`;
    (paths[path] ??= {})[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: '1',
      description:
        'Sign in by Account/login; its token goes into the header Authorization as a bearer token. ' +
        'Every refusal is a problem body (RFC 9457) with a code of its own. ' +
        'What stores something answers with a header Lectern-Position: sent along with what is asked next, it has another ' +
        'server wait until its lists have that; without it the server asks the event log, which takes a little longer.',
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        device: { type: 'apiKey', in: 'cookie', name: DEVICE_COOKIE },
      },
      responses: {
        Refused: { description: 'Refused', content: { 'application/problem+json': { schema: PROBLEM } } },
      },
    },
  };
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const REFUSED = { $ref: '#/components/responses/Refused' };

function operation(route: ApiRoute): JsonObject {
  const everybody = route.may.includes('Everybody');
  const parameters = [
    ...(route.params ? parametersOf(route.params, 'path') : []).map((each) => ({ ...each, required: true })),
    ...(route.query ? parametersOf(route.query, 'query') : []),
    ...(route.keyed ? [IDEMPOTENCY_KEY] : []),
  ];
  const body = requestBody(route);
  return {
    operationId: `${route.tag}.${route.handler}`,
    tags: [route.tag],
    summary: whoMay(route),
    // The same decision as in the guard.
    'x-allowed': route.may,
    security: everybody ? [] : [route.may.includes('Device') ? { device: [] } : { session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [route.status ?? 200]: success(route),
      ...((parameters.length > 0 || body) && { 400: REFUSED }),
      ...(!everybody && { 401: REFUSED, 403: REFUSED }),
      ...(route.keyed && { 422: REFUSED }),
      default: REFUSED,
    },
  };
}

function whoMay({ may }: ApiRoute): string {
  if (may.includes('Everybody')) return 'For everybody';
  if (may.includes('Device')) return 'For devices by which readers help themselves';
  return may.includes('SignedIn')
    ? 'For anyone signed in'
    : `For those with the permission ${may.join(' or ')}`;
}

function success({ answer, forms }: ApiRoute): JsonObject {
  const content =
    typeof answer === 'string'
      ? { [answer]: { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: jsonSchema(forms ?? answer, 'output') } };
  return { description: 'Done', content };
}

function requestBody({ body, upload }: ApiRoute): JsonObject | undefined {
  if (!body) return undefined;
  const schema = jsonSchema(body, 'input');
  if (upload === undefined) return { required: true, content: { 'application/json': { schema } } };
  const properties = {
    ...(schema.properties as JsonObject | undefined),
    [upload]: { type: 'string', format: 'binary' },
  };
  return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties } } } };
}

const IDEMPOTENCY_KEY = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Names the intention: a repeat of the call by the same key gets the first answer, also one that is sent at the same moment. ' +
    'An acceptance is remembered for good, a refusal by a rule (404 and 409, but for ConcurrentChange) for 24 hours: to try anew, ' +
    'use a new key. Anything else decides nothing and may be repeated by the same key: 429, 5xx and ConcurrentChange after a while, ' +
    '400, 401 and 403 when their reason is gone. The same key with another request is refused: 422, IdempotencyKeyReused.',
  schema: { type: 'string', minLength: 8, maxLength: 200 },
};

function parametersOf(schema: z.ZodType, place: 'query' | 'path'): JsonObject[] {
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: JsonObject;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
}

/** A contract as JSON Schema, of a request or of a response. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema: written }) {
      const { def } = zodSchema._zod;
      // A preprocessed value (empty as none) has no schema of its own: use that of its result.
      if (io === 'input' && def.type === 'pipe' && def.in._zod.def.type === 'transform') {
        Object.assign(written, jsonSchema(def.out as z.ZodType, 'input'));
      }
    },
  }) as JsonObject;
  return described;
}
