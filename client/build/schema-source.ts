import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isCall, type Call } from '../../contracts/call.js';
import { OPEN_ENUM } from '../../contracts/open-enum.js';

type Definition = z.core.$ZodTypes['_zod']['def'];
type Schema = { _zod: { def: z.core.$ZodTypeDef } };

/** Texts whose pattern says everything about them. */
const PATTERNED: readonly string[] = ['uuid', 'date', 'datetime'];
const UNBOUNDED: readonly string[] = ['safeint'];

/**
 * The source of a module with the same exports, where a schema that only describes a value is a check of `shapes.ts`, and a
 * constant is its value: whoever imports those does not load the schema library. All else comes from the module itself.
 * @param exported what the module exports
 * @param from where the module is
 * @param shapes where `shapes.ts` is
 */
export function describedModule(exported: Record<string, unknown>, from: string, shapes: string): string {
  const own: string[] = [];
  const passed: string[] = [];
  const values = Object.values(exported);
  // A module without schemas comes as it is where it does something: its constants would be there twice.
  if (!values.some(isSchema) && values.some((value) => constantSource(value) === undefined)) {
    return `export * from ${JSON.stringify(from)};`;
  }
  for (const [name, value] of Object.entries(exported)) {
    const source = isSchema(value) ? sourceOf(value) : constantSource(value);
    if (source === undefined) passed.push(name);
    else own.push(`export const ${name} = ${source};`);
  }
  const lines = [...own];
  if (own.length > 0) lines.unshift(`import * as s from ${JSON.stringify(shapes)};`);
  if (passed.length > 0) lines.push(`export { ${passed.join(', ')} } from ${JSON.stringify(from)};`);
  return lines.join('\n');
}

/**
 * The source of a module with one call as the site needs it, or with some that belong together: where it is, and what it answers.
 * The whole of it comes from its module where the answer does more than describe a value.
 * @param from where the call is, and as what
 */
export function describedCall(
  call: Call | Record<string, Call>,
  from: string,
  name: string,
  shapes: string,
): string {
  const source = isCall(call)
    ? callSource(call)
    : allOf(Object.entries(call).map(([each, one]) => callSource(one)?.replace(/^/, `${each}: `)));
  if (source === undefined) return `export { ${name} } from ${JSON.stringify(from)};`;
  const described = `export const ${name} = ${source};`;
  return source.includes('s.') ? `import * as s from ${JSON.stringify(shapes)};\n${described}` : described;
}

function callSource({ method, path, may, forOthers, keyed, answer }: Call): string | undefined {
  const known = JSON.stringify({
    method,
    path,
    may,
    ...(forOthers && { forOthers }),
    ...(keyed && { keyed }),
  });
  if (typeof answer === 'string') return known;
  const shape = sourceOf(answer);
  return shape && `${known.slice(0, -1)}, answer: ${shape} }`;
}

function allOf(sources: (string | undefined)[]): string | undefined {
  return sources.includes(undefined) ? undefined : `{ ${sources.join(', ')} }`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

function constantSource(value: unknown): string | undefined {
  const source = JSON.stringify(value) as string | undefined;
  return source !== undefined && isDeepStrictEqual(JSON.parse(source), value) ? source : undefined;
}

/** The source of a shape; undefined for a schema that does more than describe. */
export function sourceOf(schema: Schema): string | undefined {
  try {
    const { def } = schema._zod as { def: Definition };
    const options = def.type === 'enum' ? `, ${JSON.stringify(Object.values(def.entries))}` : '';
    return pure('shape', checkOf(schema) + options);
  } catch (error) {
    if (error instanceof MoreThanADescription) return undefined;
    throw error;
  }
}

/** A call that the bundler leaves out where nothing uses its value. */
const pure = (name: string, values: string): string => `/* @__PURE__ */ s.${name}(${values})`;

const ANY_TEXT = pure('string', '');

class MoreThanADescription extends Error {}

function checkOf(schema: Schema): string {
  const { def } = schema._zod as { def: Definition };
  if (def.type === 'number') return numberCheck(def);
  if (def.checks?.some((check) => !isLength(def, check))) throw new MoreThanADescription();
  // All others do more than describe.
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (def.type) {
    case 'string':
      return stringCheck(def);
    case 'boolean':
      if (def.coerce) break;
      return 's.boolean';
    case 'enum': {
      const values = JSON.stringify(Object.values(def.entries));
      const grows = growsOf(schema);
      if (grows === undefined) return pure('oneOf', values);
      // Only a list can do without a value.
      if (typeof grows !== 'string') break;
      return pure('oneOf', `${values}, ${JSON.stringify(grows)}`);
    }
    case 'literal':
      if (def.values.some((value) => typeof value === 'bigint' || value === undefined)) break;
      return pure('oneOf', JSON.stringify(def.values));
    case 'array': {
      const { def: item } = def.element._zod as { def: Definition };
      if (item.type === 'enum' && growsOf(def.element) === true)
        return pure('known', JSON.stringify(Object.values(item.entries)));
      return pure('list', checkOf(def.element));
    }
    case 'nullable':
      return pure('nullable', checkOf(def.innerType));
    case 'union':
      if (def.inclusive === false && !('discriminator' in def)) break;
      return pure('anyOf', `[${def.options.map(checkOf).join()}]`);
    case 'record':
      if (checkOf(def.keyType) !== ANY_TEXT) break;
      return pure('record', checkOf(def.valueType));
    case 'object':
      if (def.catchall && def.catchall._zod.def.type !== 'unknown') break;
      return objectCheck(def.shape, def.catchall !== undefined);
  }
  throw new MoreThanADescription();
}

/**
 * How long a list is at most is a promise of the server, which may promise more with a later release. Where it is refused with words
 * of its own it is a form that holds somebody to it.
 */
function isLength({ type }: Definition, { _zod: { def } }: z.core.$ZodCheck<never>): boolean {
  return type === 'array' && def.check === 'max_length' && def.error === undefined;
}

/** What a value stands for that is not known; `true` where it is left out of its list; undefined if it does not grow. */
function growsOf(schema: Schema): unknown {
  return (schema as z.ZodType).meta()?.[OPEN_ENUM];
}

function stringCheck({
  coerce,
  format,
  pattern,
}: z.core.$ZodStringDef & { format?: string; pattern?: RegExp }) {
  if (coerce) throw new MoreThanADescription();
  if (format === undefined) return ANY_TEXT;
  if (!PATTERNED.includes(format) || !pattern) throw new MoreThanADescription();
  return pure('string', String(pattern));
}

function numberCheck({ coerce, checks = [], format }: z.core.$ZodNumberDef & { format?: string }): string {
  if (coerce || (format !== undefined && !UNBOUNDED.includes(format))) throw new MoreThanADescription();
  const range: Record<string, number> = {};
  for (const { _zod } of checks) {
    const def = _zod.def as { check: string; value: number; inclusive: boolean };
    if (def.check === 'greater_than') range[def.inclusive ? 'least' : 'above'] = def.value;
    else if (def.check === 'less_than' && def.inclusive) range.most = def.value;
    else throw new MoreThanADescription();
  }
  return pure('number', `Number.${format ? 'isSafeInteger' : 'isFinite'}, ${JSON.stringify(range)}`);
}

function objectCheck(shape: Readonly<Record<string, Schema>>, keepsOthers: boolean): string {
  const required: string[] = [];
  const optional: string[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    const { def } = schema._zod as { def: Definition };
    if (def.type === 'optional') optional.push(`${JSON.stringify(name)}: ${checkOf(def.innerType)}`);
    else required.push(`${JSON.stringify(name)}: ${checkOf(schema)}`);
  }
  return pure('object', `{ ${required.join()} }, { ${optional.join()} }${keepsOthers ? ', true' : ''}`);
}
