import { useLocation, useNavigate } from 'react-router-dom';
import { appNavigation } from './app-navigation.js';

/** A value that is kept in the address. */
export interface Parameter<Value> {
  /** What the address calls it. */
  name: string;
  /** The value that a text stands for; the usual value for null (it is missing) and for whatever makes no sense. */
  read: (text: string | null) => Value;
  /** The text for a value; empty for the usual one, which is left out. */
  write: (value: Value) => string;
  /** A change sets every parameter of a higher level back to its usual value: another search starts at page 1. */
  level?: number;
  /** Changing it is a step that Back undoes; other changes replace the address. */
  step?: true;
  /** The page is shown from its top after a change. */
  fromTop?: true;
}

type Parameters<Values> = { readonly [Key in keyof Values]: Parameter<Values[Key]> };

/** @param options.mending corrects an address that cannot be shown: no step that Back undoes */
export type ChangeAddress<Values> = (changes: Partial<Values>, options?: { mending?: boolean }) => void;

/** One of a few words. */
export function oneOf<Word extends string>(
  name: string,
  words: readonly Word[],
  usual: Word,
): Parameter<Word> {
  return {
    name,
    read: (text) => words.find((word) => word === text) ?? usual,
    write: (word) => (word === usual ? '' : word),
  };
}

/** A text of some shape; null where there is none. */
export const textLike = (name: string, shape: RegExp): Parameter<string | null> => ({
  name,
  read: (text) => (shape.test(text ?? '') ? text : null),
  write: (text) => text ?? '',
});

const positive = (text: string | null) => {
  const number = Number(text ?? NaN);
  return Number.isSafeInteger(number) && number >= 1 ? number : null;
};

/** What a list is searched for. */
export const searchParameter: Parameter<string> = {
  name: 'q',
  read: (text) => (text ?? '').slice(0, 200),
  write: (text) => text,
};

/** The page of a list, from 1. */
export const pageParameter: Parameter<number> = {
  name: 'page',
  read: (text) => positive(text) ?? 1,
  write: (page) => (page === 1 ? '' : String(page)),
  level: 1,
  step: true,
};

/** The item of a page that is open; null where all are closed. */
export const openParameter: Parameter<number | null> = {
  name: 'open',
  read: positive,
  write: (id) => (id === null ? '' : String(id)),
  level: 2,
};

const keysOf = <Values extends object>(parameters: Parameters<Values>) =>
  Object.keys(parameters) as (keyof Values)[];

export function readAddress<Values extends object>(
  parameters: Parameters<Values>,
  search: URLSearchParams,
): Values {
  const read = keysOf(parameters).map((key) => [key, parameters[key].read(search.get(parameters[key].name))]);
  return Object.fromEntries(read) as Values;
}

/** In the order of the parameters. */
export function writeAddress<Values extends object>(
  parameters: Parameters<Values>,
  values: Values,
): URLSearchParams {
  const written = keysOf(parameters).map((key) => [parameters[key].name, parameters[key].write(values[key])]);
  return new URLSearchParams(written.filter(([, text]) => text !== ''));
}

/** What the address of a screen says, so that it can be shared, kept and gone back to; and a way to change it. */
export function useAddress<Values extends object>(
  parameters: Parameters<Values>,
): [Values, ChangeAddress<Values>] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const change: ChangeAddress<Values> = (changes, { mending = false } = {}) => {
    // The router's own address: what is drawn may lag behind it, and an earlier change must not be undone.
    const [path, now] = appNavigation.here().split('?');
    if (path !== pathname) return;
    const values = readAddress(parameters, new URLSearchParams(now));
    const changed = keysOf(parameters).filter((key) => key in changes);
    const level = Math.min(...changed.map((key) => parameters[key].level ?? 0));
    for (const key of keysOf(parameters))
      if ((parameters[key].level ?? 0) > level) values[key] = parameters[key].read(null);
    void navigate(`?${writeAddress(parameters, { ...values, ...changes })}`, {
      replace: mending || !changed.some((key) => parameters[key].step),
      preventScrollReset: !changed.some((key) => parameters[key].fromTop),
    });
  };
  return [readAddress(parameters, new URLSearchParams(search)), change];
}
