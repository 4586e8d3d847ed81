import type { Operation, Schema } from './fuzzed-request.js';

/** Values for fields by their names, where a schema alone would make one that nothing is found by. */
export type Known = Readonly<Record<string, unknown>>;

/** A request of a call as its schema has it, with nothing optional: one that gets as far as the handler. */
export function plainRequest({ method, path, parameters = [], requestBody }: Operation, known: Known) {
  let address = path;
  const query = new URLSearchParams();
  for (const { name, in: place, schema = {} } of parameters) {
    const value = String(valueOf(name, schema, known));
    if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    if (place === 'query') query.set(name, value);
  }
  const schema = requestBody?.content['application/json']?.schema;
  return {
    method,
    path: query.size > 0 ? `${address}?${query.toString()}` : address,
    ...(schema && { body: JSON.stringify(valueOf('', schema, known)) }),
  };
}

function valueOf(name: string, schema: Schema, known: Known): unknown {
  if (name in known) return known[name];
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [one] = schema.anyOf ?? schema.oneOf ?? [];
  if (one) return valueOf(name, one, known);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => valueOf(name, part, known)));
  const [type = 'string'] = [schema.type ?? []].flat();
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.items ? [valueOf(name.replace(/s$/, ''), schema.items, known)] : [];
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, part]) => [key, valueOf(key, part, known)]),
      );
    default:
      return textOf(schema);
  }
}

const FORMED: Readonly<Record<string, string>> = {
  date: '1990-04-12',
  'date-time': '2026-03-01T12:00:00Z',
  email: 'zofia@people.example',
  uuid: '6f1de2a2-58a9-4c9b-9d33-8a1d2b1d6a11',
};

function textOf({ format = '', minLength = 0, maxLength = 100 }: Schema): string {
  return FORMED[format] ?? 'Sekret#2026'.padEnd(minLength, 'x').slice(0, maxLength);
}
