import { z } from 'zod';
import { IDEMPOTENCY_KEY_HEADER } from '#contracts/idempotency.js';
import { problemSchema } from '#contracts/problem.js';
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
        'Every refusal is a problem body (RFC 9457) with a code of its own.',
    },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: { session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      responses: {
        Refused: { description: 'Refused', content: { 'application/problem+json': { schema: PROBLEM } } },
      },
    },
  };
}

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const REFUSED = { $ref: '#/components/responses/Refused' };

function operation(route: ApiRoute): JsonObject {
  const everybody = route.allowed.includes('Everybody');
  const parameters = [
    ...pathParameters(route),
    ...route.query.flatMap((schema) => parametersOf(schema, 'query')),
    ...(route.takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ];
  const body = requestBody(route);
  return {
    operationId: `${route.tag}.${route.handler}`,
    tags: [route.tag],
    summary: whoMay(route),
    // The same decision as in the guard.
    'x-allowed': route.allowed,
    security: everybody ? [] : [{ session: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      [route.status]: success(route),
      ...((parameters.length > 0 || body) && { 400: REFUSED }),
      ...(!everybody && { 401: REFUSED, 403: REFUSED }),
      ...(route.takesIdempotencyKey && { 422: REFUSED }),
      default: REFUSED,
    },
  };
}

function whoMay({ allowed }: ApiRoute): string {
  if (allowed.includes('Everybody')) return 'For everybody';
  if (allowed.includes('SignedIn')) return 'For who is signed in';
  return allowed.length === 0 ? 'For nobody' : `For the roles ${allowed.join(', ')}`;
}

function success({ answer }: ApiRoute): JsonObject {
  if (!answer) return { description: 'Done' };
  const content =
    'schema' in answer
      ? { 'application/json': { schema: jsonSchema(answer.schema, 'output') } }
      : { [answer.mediaType]: { schema: { type: 'string', format: 'binary' } } };
  return { description: 'Done', content };
}

function requestBody({ body, multipart }: ApiRoute): JsonObject | undefined {
  if (multipart) {
    const fields = jsonSchema(multipart.schema, 'input');
    const properties = {
      ...(fields.properties as JsonObject | undefined),
      [multipart.fileField]: { type: 'string', format: 'binary' },
    };
    return { required: true, content: { 'multipart/form-data': { schema: { ...fields, properties } } } };
  }
  if (!body) return undefined;
  return { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } };
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

/** Every path parameter, with its contract if the handler has one. */
function pathParameters({ path, params }: ApiRoute): JsonObject[] {
  const contracts = params.flatMap((schema) => parametersOf(schema, 'path'));
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    ...(contracts.find((parameter) => parameter.name === name) ?? {
      name,
      in: 'path',
      schema: { type: 'string' },
    }),
    required: true,
  }));
}

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
