import type { Language } from '#contracts/languages.js';
import type { OwnText, OwnWords } from '#contracts/library/own-words.js';
import { OWN_MESSAGES, type OwnMessage } from '#words/own-messages.js';
import { sayBy } from '#words/said.js';
import { callContext, type Said } from './deadline.js';
import { currentLanguage, localeOf } from './language.js';

type Inputs = Said['inputs'];

/** The library's own words, in this process. */
let kept: OwnWords = {};

export function sayInOwnWords(words: OwnWords): void {
  kept = words;
}

sayBy((key, inputs = {}, usual) => {
  const context = callContext();
  const language = currentLanguage();
  const own = (context?.tried ?? kept)[language]?.[key];
  const text = (own && filled(own, ownMessage(key, language), inputs, language)) ?? usual(inputs);
  context?.onSaid?.({ key, inputs, text });
  return text;
});

/** What a message is made of. */
interface MessageParts {
  /** The texts of the product by their forms: what `Intl` says of numbers, as `form=one`; without numbers there is one, ''. */
  forms: OwnText;
  /** By the variables that forms name: the numbers of which they are the plural. */
  plurals: ReadonlyMap<string, string>;
  /** What texts may name in braces, with the inputs that these are. */
  placeholders: ReadonlyMap<string, string>;
}

const DECLARATION = /^(?:input (\w+)|local (\w+) = (\w+): (plural|number))$/;

/**
 * @param key of a message that a library may say in its own words
 * @throws an Error where it is none, or its declarations are of a kind that own words cannot have
 */
export function ownMessage(key: string, language: Language): MessageParts {
  const message = [localeOf(language), language, 'en']
    .map((locale) => OWN_MESSAGES[locale]?.[key])
    .find((known) => known !== undefined);
  if (message === undefined) throw new Error(`${key} is no message of letters or papers.`);
  return partsOf(message);
}

function partsOf(message: OwnMessage): MessageParts {
  if (typeof message === 'string') {
    const names = [...message.matchAll(PLACEHOLDER)].map(([, name = '']) => [name, name] as const);
    return { forms: { '': message }, plurals: new Map(), placeholders: new Map(names) };
  }
  const [{ declarations, match } = { declarations: [], match: {} }] = message;
  const declared = declarations.map((declaration) => {
    const [, input, local = '', of = '', how] = DECLARATION.exec(declaration) ?? [];
    if (input === undefined && how === undefined) throw new Error(`Own words cannot say: ${declaration}`);
    return { input, local, of, how };
  });
  const locals = (wanted: string) =>
    new Map(declared.flatMap(({ local, of, how }) => (how === wanted ? [[local, of] as const] : [])));
  const [plurals, numbers] = [locals('plural'), locals('number')];
  const counted = new Set([...plurals.values(), ...numbers.values()]);
  const inputs = declared.flatMap(({ input }) => (input === undefined || counted.has(input) ? [] : [input]));
  return {
    forms: match,
    plurals,
    placeholders: new Map([...inputs.map((name) => [name, name] as const), ...numbers]),
  };
}

/** A name in braces. */
export const PLACEHOLDER = /\{(\w+)\}/g;

/** Values as a message shows them: numbers as the language writes them. */
export function shownValue(value: string | number | undefined, language: Language): string {
  return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? '');
}

/** @returns nothing where no form of it fits: the product has more forms than there were when it was written */
function filled(own: OwnText, parts: MessageParts, inputs: Inputs, language: Language): string | undefined {
  const text = own[formFor(Object.keys(own), parts, inputs, language) ?? '-'];
  return text?.replace(PLACEHOLDER, (_, name: string) =>
    shownValue(inputs[parts.placeholders.get(name) ?? ''], language),
  );
}

const catchAlls = (form: string) => form.split('*').length;

/** Which of some forms numbers have; one that says it exactly comes before one that stands for the rest. */
function formFor(
  forms: readonly string[],
  { plurals }: MessageParts,
  inputs: Inputs,
  language: Language,
): string | undefined {
  const rules = new Intl.PluralRules(language);
  const has = (part: string) => {
    const [variable = '', wanted] = part.split('=');
    return wanted === '*' || rules.select(Number(inputs[plurals.get(variable) ?? variable])) === wanted;
  };
  return forms
    .toSorted((one, other) => catchAlls(one) - catchAlls(other))
    .find((form) => form === '' || form.split(', ').every(has));
}

/** Numbers that are tried for the forms: every language has each of its forms among them. */
const TRIED = [1, 2, 3, 4, 5, 6, 11, 12, 21, 22, 25];
const SHOWN = 3;

/** For which numbers a form is: of each that it depends on, the first of them. */
export function numbersOf(form: string, parts: MessageParts, language: Language): Record<string, number[]> {
  const inputs = [...new Set(parts.plurals.values())];
  const forms = Object.keys(parts.forms);
  const all = inputs.reduce<Inputs[]>(
    (some, input) => some.flatMap((each) => TRIED.map((number) => ({ ...each, [input]: number }))),
    [{}],
  );
  const own = all.filter((each) => formFor(forms, parts, each, language) === form);
  return Object.fromEntries(
    inputs.map((input) => [input, [...new Set(own.map((each) => Number(each[input])))].slice(0, SHOWN)]),
  );
}
