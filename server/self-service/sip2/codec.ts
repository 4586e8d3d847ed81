import {
  FIELDS,
  FIXED,
  REPEATED,
  REQUESTS,
  RESPONSES,
  type FieldName,
  type FixedName,
  type Request,
  type ResponseValues,
  type Values,
} from './messages.js';

interface Table {
  readonly code: string;
  readonly fixed: readonly FixedName[];
  readonly fields: readonly string[];
}

type Loose = Record<string, string | readonly string[] | undefined>;

const NAMES = new Map<string, FieldName>(Object.entries(FIELDS).map(([name, id]) => [id, name as FieldName]));

/**
 * What a device has sent, without its error detection. A required field that is missing is read as empty, as many devices leave
 * out what they do not know; fields that are not of the message are passed over.
 * @returns nothing for what is no message, or ends within its fixed fields
 */
export function parseRequest(text: string): Request | undefined {
  for (const [name, table] of Object.entries(REQUESTS)) {
    if (!text.startsWith(table.code)) continue;
    const values = parseMessage(table, text);
    return values && ({ name, ...values } as Request);
  }
  return undefined;
}

/** @returns nothing for what ends within the fixed fields */
export function parseMessage<T extends Table>(table: T, text: string): Values<T> | undefined {
  const values: Record<string, string | string[]> = {};
  let at = table.code.length;
  for (const name of table.fixed) {
    const end = at + lengthOf(name);
    if (end > text.length) return undefined;
    values[name] = text.slice(at, end);
    at = end;
  }
  const known = table.fields.map(bare);
  for (const field of text.slice(at).split('|')) {
    const name = NAMES.get(field.slice(0, 2));
    if (!name || !known.includes(name)) continue;
    const value = field.slice(2);
    if (!isRepeated(name)) values[name] ??= value;
    else ((values[name] ??= []) as string[]).push(value);
  }
  for (const field of table.fields) if (isRequired(field)) values[field] ??= '';
  return values as Values<T>;
}

export function formatResponse<Name extends keyof typeof RESPONSES>(
  name: Name,
  values: ResponseValues<Name>,
): string {
  return formatMessage(RESPONSES[name], values);
}

/** A required field that has no value is empty. @throws an Error for a fixed field of another length: the caller is wrong */
export function formatMessage(table: Table, values: Loose): string {
  const fixed = table.fixed.map((name) => {
    const value = values[name];
    if (typeof value === 'string' && value.length === lengthOf(name)) return value;
    throw new Error(
      `The field ${name} of a message ${table.code} has to be ${lengthOf(name)} characters long.`,
    );
  });
  const fields = table.fields.flatMap((field) => {
    const name = bare(field);
    return [values[name] ?? (isRequired(field) ? '' : [])]
      .flat()
      .map((value) => `${FIELDS[name]}${plain(value)}|`);
  });
  return table.code + fixed.join('') + fields.join('');
}

const bare = (field: string) => field.replace('?', '') as FieldName;
const isRequired = (field: string) => !field.endsWith('?');
const isRepeated = (name: FieldName) => (REPEATED as readonly string[]).includes(name);

function lengthOf(name: FixedName): number {
  const kind: number | readonly string[] = FIXED[name];
  return typeof kind === 'number' ? kind : 1;
}

/** Without what ends a field or a message. */
const plain = (value: string) => value.replace(/[|\p{Cc}\u2028\u2029]+/gu, ' ');

export const yesNo = (is: boolean) => (is ? 'Y' : 'N');
export const zeroOne = (is: boolean) => (is ? '1' : '0');

/** A count in so many digits. */
export function digits(count: number, length: number): string {
  return String(Math.max(0, Math.min(count, 10 ** length - 1))).padStart(length, '0');
}
