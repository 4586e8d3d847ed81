/**
 * What the build makes of the contracts' schemas that only describe a value (`client/build/`): the same answer to the same
 * value, without the schema library, which no page has to wait for.
 */
type Check = (value: unknown, at: string) => unknown;

/** A value is not what it was promised to be. */
class ShapeError extends Error {
  constructor(at: string, wanted: string) {
    super(`${at.slice(1) || 'The value'} is not ${wanted}`);
    this.name = 'ShapeError';
  }
}

type Fields = Readonly<Record<string, Check>>;

const only =
  (wanted: string, holds: (value: unknown) => boolean): Check =>
  (value, at) => {
    if (holds(value)) return value;
    throw new ShapeError(at, wanted);
  };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const boolean = only('true or false', (value) => typeof value === 'boolean');

export const string = (pattern?: RegExp): Check =>
  only('such a text', (value) => typeof value === 'string' && (!pattern || pattern.test(value)));

/** @param range bounds that the number may reach, and one that it has to exceed */
export const number = (
  isNumber: (value: unknown) => boolean,
  { least = -Infinity, most = Infinity, above = -Infinity } = {},
): Check =>
  only('such a number', (value) => {
    const it = value as number;
    return isNumber(value) && it >= least && it <= most && it > above;
  });

/** @param otherwise stands for a word that is not among them: of a server with a later release than the page's */
export const oneOf = (values: readonly unknown[], otherwise?: string): Check => {
  const exact = only(`one of ${values.join(', ')}`, (value) => values.includes(value));
  if (otherwise === undefined) return exact;
  return (value, at) => (typeof value === 'string' && !values.includes(value) ? otherwise : exact(value, at));
};

export const list =
  (item: Check): Check =>
  (value, at) => {
    if (!Array.isArray(value)) throw new ShapeError(at, 'a list');
    return value.map((each, index) => item(each, `${at}.${index}`));
  };

/** A list of such words, without those of a later release. */
export const known = (values: readonly string[]): Check => {
  const words = list(string());
  return (value, at) => (words(value, at) as string[]).filter((word) => values.includes(word));
};

/** @param keepsOthers whether fields that it does not know are kept */
export const object =
  (required: Fields, optional: Fields, keepsOthers = false): Check =>
  (value, at) => {
    if (!isObject(value)) throw new ShapeError(at, 'an object');
    const kept: Record<string, unknown> = keepsOthers ? { ...value } : {};
    for (const name in required) kept[name] = required[name]?.(value[name], `${at}.${name}`);
    for (const name in optional) {
      if (value[name] !== undefined) kept[name] = optional[name]?.(value[name], `${at}.${name}`);
    }
    return kept;
  };

export const record =
  (item: Check): Check =>
  (value, at) => {
    if (!isObject(value)) throw new ShapeError(at, 'an object');
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, item(each, `${at}.${name}`)]),
    );
  };

export const nullable =
  (check: Check): Check =>
  (value, at) =>
    value === null ? null : check(value, at);

/** The first that the value fits. */
export const anyOf =
  (checks: readonly Check[]): Check =>
  (value, at) => {
    for (const check of checks) {
      try {
        return check(value, at);
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
      }
    }
    throw new ShapeError(at, 'any of what it may be');
  };

/** As the schema library shows one: what callers use of it. */
export const shape = (check: Check, options?: readonly unknown[]) => ({
  options,
  parse: (value: unknown) => check(value, ''),
  safeParse(value: unknown) {
    try {
      return { success: true, data: check(value, '') };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      return { success: false, error };
    }
  },
});
