import type { Chance } from './chance.js';

/** A part of a JSON schema, as far as values are made by it. */
export interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** A call of the OpenAPI document. */
export interface Operation {
  method: string;
  /** `/Book/{id}` */
  path: string;
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface FuzzedRequest {
  method: string;
  /** With its query, as it is sent. */
  path: string;
  headers: Record<string, string>;
  body?: string | FormData;
}

/** Texts that break what is careless. */
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0007b',
  'moc\u202eexe',
  '\ud800',
  '🧑‍🚒',
  'Żółć',
  "'; drop table account; --",
  "' or '1'='1",
  '1); select pg_sleep(9)--',
  '%27%20or%201=1',
  '\\',
  '%',
  '_%_',
  '<script>alert(1)</script>',
  '{{7*7}}${7*7}#{7*7}',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'a\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  '-1',
  '0',
  '1.5',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '2026-02-30',
  '0000-00-00',
  '99999-01-01T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  '00000000-0000-0000-0000-000000000000',
  '[object Object]',
  'x'.repeat(300),
  'é'.repeat(30_000),
];
/** Texts of a format, and such as a form has. */
const FORMED: Record<string, readonly string[]> = {
  date: ['1990-04-12', '2026-02-28', '1899-12-31', '2999-01-01'],
  'date-time': ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00+02:00', '1970-01-01T00:00:00Z'],
  email: ['zofia@people.example', 'stanislaw@people.example'],
};
const PLAIN = ['Solaris', 'Zofia', '31-146', 'Poland', 'Sekret#2026'];
const OTHERS: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e308,
  [],
  [[]],
  {},
  [null],
  { toString: 1, valueOf: 'x' },
  { length: 1e9 },
  { $ne: null },
];
const MEDIA = [
  'application/json',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-7',
  '',
];

/** Makes requests of the calls of a document, some as the schema says and most a little beside it. */
export class RequestFuzzer {
  /** @param known ids and numbers that mean something, which are used again and again */
  constructor(
    private readonly chance: Chance,
    private readonly known: readonly (string | number)[],
  ) {}

  of({ method, path, parameters = [], requestBody }: Operation): FuzzedRequest {
    const named = (where: string) => parameters.filter((parameter) => parameter.in === where);
    const filled = named('path').reduce(
      (whole, { name, schema }) => whole.replace(`{${name}}`, encodeUri(this.text(schema)) || 'x'),
      path,
    );
    const headers = this.headers(named('header'));
    const query = this.query(named('query'));
    const request = { method, path: query === '' ? filled : `${filled}?${query}`, headers };
    if (['GET', 'HEAD'].includes(method)) return request;
    const [media = 'application/json', content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    if (media === 'multipart/form-data' && this.chance.chance(0.7)) {
      return { ...request, body: this.form(content?.schema) };
    }
    const body = this.malformed(JSON.stringify(this.value(content?.schema ?? {}) ?? null));
    const type = this.chance.chance(0.93) ? 'application/json' : this.chance.pick(MEDIA);
    return { ...request, headers: { ...headers, 'content-type': type }, body };
  }

  /** A value of the schema, or one beside it. */
  private value(schema: Schema): unknown {
    if (this.chance.chance(0.12)) return this.chance.pick(this.chance.chance(0.5) ? TEXTS : OTHERS);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices) return this.value(this.chance.pick(choices));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.chance.pick(schema.enum);
    const [type] = [schema.type].flat();
    if (type === 'object') return this.object(schema);
    if (type === 'array') {
      const items = Array.from({ length: this.chance.pick([0, 1, 1, 2, 5]) });
      return items.map(() => this.value(schema.items ?? {}));
    }
    if (type === 'integer' || type === 'number') return this.number(schema);
    if (type === 'boolean') return this.chance.chance(0.5);
    if (type === 'string') return this.string(schema);
    return this.chance.pick([...this.known, ...OTHERS]);
  }

  private object({ properties = {} }: Schema): unknown {
    const entries = Object.entries(properties)
      .filter(() => this.chance.chance(0.95))
      .map(([name, schema]): [string, unknown] => [name, this.value(schema)]);
    if (this.chance.chance(0.05))
      entries.push([this.chance.pick(TEXTS).slice(0, 50), this.chance.pick(OTHERS)]);
    return Object.fromEntries(entries);
  }

  private number({ minimum = -5, maximum = 50 }: Schema): number {
    const numbers = this.known.filter((each) => typeof each === 'number');
    if (numbers.length > 0 && this.chance.chance(0.5)) return this.chance.pick(numbers);
    const least = Math.max(minimum, -1e6);
    return least + this.chance.below(Math.min(maximum, least + 100) - least + 1);
  }

  private string({ format = '', minLength = 0 }: Schema): string {
    const ids = this.known.filter((each) => typeof each === 'string');
    if (format === 'uuid') return this.chance.pick(ids);
    return this.chance.pick(FORMED[format] ?? [...PLAIN, ...ids]).padEnd(minLength, 'x');
  }

  private text(schema: Schema = {}): string {
    const value = this.value(schema);
    return typeof value === 'string' ? value : JSON.stringify(value);
  }

  private query(parameters: { name: string; schema?: Schema }[]): string {
    const pairs = parameters
      .filter(() => this.chance.chance(0.8))
      .map(({ name, schema }) => [name, this.text(schema)]);
    if (this.chance.chance(0.05)) pairs.push([this.chance.pick(TEXTS).slice(0, 50), this.chance.pick(TEXTS)]);
    return pairs
      .flatMap(([name = '', value = '']) => {
        const key = this.chance.chance(0.9)
          ? name
          : this.chance.pick([`${name}[]`, `${name}[a]`, `${name}[__proto__]`, name.toLowerCase()]);
        const pair = `${encodeUri(key)}=${this.chance.chance(0.97) ? encodeUri(value) : '%E0%A4%A'}`;
        return this.chance.chance(0.05) ? [pair, `${encodeUri(name)}=1`] : [pair];
      })
      .join('&');
  }

  private headers(parameters: { name: string; schema?: Schema }[]): Record<string, string> {
    const given = parameters
      .filter(() => this.chance.chance(0.5))
      .map(({ name, schema }): [string, string] => [name, headerText(this.text(schema))]);
    const odd: [string, string][] = [
      ['accept', 'application/xml;q=x,,,*'],
      ['x-correlation-id', headerText(this.chance.pick(TEXTS))],
      ['x-forwarded-for', "1.2.3.4, ' or 1=1 --"],
      ['x-http-method-override', 'DELETE'],
      ['content-encoding', 'gzip'],
      ['range', 'bytes=-1-,99999999999999999999-'],
      ['if-none-match', '*'],
      ['cookie', `XSRF-TOKEN=${headerText(this.chance.pick(TEXTS)).slice(0, 100)}; =; a`],
      ['origin', 'null'],
      ['referer', 'javascript:alert(1)'],
    ];
    return Object.fromEntries(this.chance.chance(0.1) ? [...given, this.chance.pick(odd)] : given);
  }

  private form(schema: Schema = {}): FormData {
    const form = new FormData();
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (this.chance.chance(0.05)) continue;
      const value = this.value(property);
      if (property.format === 'binary') {
        const type = this.chance.pick(['image/png', 'image/svg+xml', 'text/html']);
        form.append(name, new File([this.chance.pick(TEXTS)], headerText(this.chance.pick(TEXTS)), { type }));
      } else if (Array.isArray(value)) {
        for (const [at, item] of value.entries()) {
          form.append(`${name}[${this.chance.chance(0.9) ? at : '__proto__'}].id`, idOf(item));
        }
      } else if (typeof value === 'object' && value !== null) form.append(`${name}.id`, idOf(value));
      else form.append(name, String(value));
    }
    return form;
  }

  private malformed(json: string): string {
    if (this.chance.chance(0.95)) return json;
    return this.chance.pick([
      '',
      json.slice(0, -1),
      `${json}${json}`,
      `\ufeff${json}`,
      `${'['.repeat(3_000)}${']'.repeat(3_000)}`,
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      '{"__proto__":{"roles":["Admin"]},"constructor":{"prototype":{"roles":["Admin"]}}}',
      '{"a":1,"a":2}',
      '"text"',
      `[${'0,'.repeat(40_000)}0]`,
    ]);
  }
}

const idOf = (item: unknown): string => {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : item;
  return typeof id === 'string' ? id : JSON.stringify(id ?? null);
};

/** Half characters cannot be sent in an address. */
const encodeUri = (text: string): string => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));

/** What a client may send in a header: the rest it refuses itself. */
const headerText = (text: string): string => text.replace(/[^\t\x20-\x7e]/g, '').slice(0, 2_000);
