// Makes functions of the messages in words/*.json, in words/compiled/: whoever calls one that is not there, or leaves out what it
// needs, has a type error. What a language says wrongly is an error here; what it does not say yet is said in English.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compileMessage } from '@inlang/paraglide-js';
import messageFormat from '@inlang/plugin-message-format';

const words = fileURLToPath(new URL('../words', import.meta.url));
const compiled = join(words, 'compiled');
/** The language that every message is in. */
const BASE = 'en';
export const LOCALES = readdirSync(words)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
export const wordsFiles = () => LOCALES.map((locale) => join(words, `${locale}.json`));

const REGISTRY = `const kept = new Map();
const format = (Kind, locale, options) => {
  const key = Kind.name + locale + JSON.stringify(options);
  let made = kept.get(key);
  if (!made) kept.set(key, (made = new Kind(locale, options)));
  return made;
};
export const plural = (locale, value, options) => format(Intl.PluralRules, locale, options).select(Number(value));
export const number = (locale, value, options) => format(Intl.NumberFormat, locale, options).format(Number(value));
export const datetime = (locale, value, options) => format(Intl.DateTimeFormat, locale, options).format(new Date(value));
`;

const LOCALE = `export const LOCALES = ${JSON.stringify(LOCALES)};
let read = () => '${BASE}';
export const currentLocale = () => read();
export const readLocaleBy = (how) => {
  read = how;
};
`;

const LOCALE_TYPES = `export type Locale = ${LOCALES.map((locale) => `'${locale}'`).join(' | ')};
export declare const LOCALES: readonly Locale[];
/** The language and wording in which messages are made just now. */
export declare const currentLocale: () => Locale;
export declare const readLocaleBy: (how: () => Locale) => void;
`;

const PART_TYPES = `type Value = string | number;
export type MessagePart =
  | { type: 'text'; value: string }
  | { type: 'markup-start' | 'markup-end' | 'markup-standalone'; name: string };
`;

/** What a library may say in words of its own: its letters, and what stands at the head and the foot of its papers. */
const OWN = /^(letter|paper)_/;

const SAID = `let say = (key, inputs, usual) => usual(inputs);
export const said = (key, inputs, usual) => say(key, inputs, usual);
export const sayBy = (how) => {
  say = how;
};
`;

const SAID_TYPES = `type Inputs = Record<string, string | number>;
export type Say = (key: string, inputs: Inputs | undefined, usual: (inputs?: Inputs) => string) => string;
/** Has what a library may say in its own words said by something else. @param how may leave it to the product's words, \`usual\` */
export declare const sayBy: (how: Say) => void;
`;

const OWN_TYPES = `/** A message as its catalogue has it. */
export type OwnMessage = string | readonly { declarations: readonly string[]; match: Readonly<Record<string, string>> }[];
/** What a library may say in its own words, by language and key: a wording has what it says otherwise. */
export declare const OWN_MESSAGES: Readonly<Record<string, Readonly<Record<string, OwnMessage>>>>;
`;

/** The messages of a language, by their keys: what each is made of, and its inputs. */
async function messagesOf(locale) {
  const content = readFileSync(join(words, `${locale}.json`));
  const { bundles, messages, variants } = await messageFormat.importFiles({
    files: [{ locale, content }],
    settings: { baseLocale: BASE, locales: LOCALES },
  });
  const ofKey = new Map(bundles.map(({ id }) => [id, []]));
  for (const variant of variants) ofKey.get(variant.messageBundleId).push(variant);
  const selectors = new Map(messages.map((message) => [message.bundleId, message.selectors]));
  return new Map(
    bundles.map(({ id, declarations }) => {
      const own = ofKey.get(id);
      const inputs = declarations.filter(({ type }) => type === 'input-variable').map(({ name }) => name);
      return [id, { locale, id, declarations, inputs, selectors: selectors.get(id), variants: own }];
    }),
  );
}

/** The names of what is marked in a message. */
const markupOf = (variants) =>
  [
    ...new Set(
      variants
        .flatMap(({ pattern }) => pattern)
        .flatMap(({ type, name }) => (type.startsWith('markup') ? [name] : [])),
    ),
  ].toSorted();

/** What is wrong with a message in a language, beside the same in English. */
function faults({ locale, id, inputs, declarations, variants }, base) {
  if (!base) return [`${locale}: ${id} is no message.`];
  if (!/^[a-z][a-z0-9_]*$/.test(id)) return [`${locale}: ${id} is no name of a message (small_letters).`];
  const told = [];
  if (inputs.toSorted().join() !== base.inputs.toSorted().join())
    told.push(`${locale}: ${id} takes {${inputs.join('}, {')}}, in English {${base.inputs.join('}, {')}}.`);
  const known = new Set(declarations.map(({ name }) => name));
  for (const { arg } of variants.flatMap(({ pattern }) => pattern)) {
    if (arg?.type === 'variable-reference' && !known.has(arg.name))
      told.push(`${locale}: ${id} names {${arg.name}}, which it does not declare.`);
  }
  if (markupOf(variants).join() !== markupOf(base.variants).join())
    told.push(
      `${locale}: ${id} marks {#${markupOf(variants).join('}, {#')}}, in English {#${markupOf(base.variants).join('}, {#')}}.`,
    );
  for (const { name, value } of declarations) {
    const isPlural = value?.annotation?.name === 'plural';
    if (!isPlural || !variants.some(({ matches }) => matches.some(({ key }) => key === name))) continue;
    const type = value.annotation.options.some(({ name: option }) => option === 'type')
      ? 'ordinal'
      : 'cardinal';
    const { pluralCategories } = new Intl.PluralRules(locale, { type }).resolvedOptions();
    const said = variants.flatMap(({ matches }) =>
      matches
        .filter(({ key }) => key === name)
        .map(({ type: kind, value: form }) => (kind === 'catchall-match' ? '*' : form)),
    );
    const lacking = said.includes('*') ? [] : pluralCategories.filter((form) => !said.includes(form));
    if (lacking.length > 0) told.push(`${locale}: ${id} lacks the plural ${lacking.join(', ')}.`);
  }
  return told;
}

/** A wording is a language with some of its messages otherwise: what it does not say, its language says. */
const wordingOf = (locale) => (/-x-/.test(locale) ? locale.split('-x-')[0] : BASE);

/** @returns of each language, the keys of what it does not say yet */
export async function readWords() {
  const catalogues = new Map();
  for (const locale of LOCALES) catalogues.set(locale, await messagesOf(locale));
  const base = catalogues.get(BASE);
  const wrong = [...catalogues.values()].flatMap((messages) =>
    [...messages.values()].flatMap((message) => faults(message, base.get(message.id))),
  );
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const lacking = new Map(
    LOCALES.filter((locale) => !locale.includes('-x-')).map((locale) => [
      locale,
      [...base.keys()].filter((key) => !catalogues.get(locale).has(key)),
    ]),
  );
  return { catalogues, base, lacking };
}

/** What stands for all that is not named comes after what is named, whatever the order in the file: the first that matches is said. */
function catchAllsLast(one, other) {
  const isCatchAll = ({ type }) => type === 'catchall-match';
  const at = one.matches.findIndex((match, index) => isCatchAll(match) !== isCatchAll(other.matches[index]));
  return at < 0 ? 0 : isCatchAll(one.matches[at]) ? 1 : -1;
}

function moduleOf(locale, messages, base) {
  const functions = [...base.keys()].map((key) => {
    const message = messages.get(key);
    if (!message) return `export { ${key} } from './${wordingOf(locale)}.js';`;
    const { declarations, selectors, variants } = message;
    const inOrder = variants.toSorted(catchAllsLast);
    const { code } = compileMessage(declarations, { bundleId: key, locale, selectors }, inOrder);
    return `export const ${key} = ${code.replaceAll(/\/\*\* @type .*?\*\/ ?/g, '')}`;
  });
  return `import * as registry from '../registry.js';\n${functions.join('\n')}\n`;
}

function typeOf({ inputs, variants }) {
  const takes = inputs.length > 0 ? `inputs: { ${inputs.map((name) => `${name}: Value`).join('; ')} }` : '';
  const hasMarkup = markupOf(variants).length > 0;
  const parts = hasMarkup ? ` & { parts: (${takes}) => MessagePart[] }` : '';
  return parts ? `((${takes}) => string)${parts}` : `(${takes}) => string`;
}

/** Where nothing has changed since, nothing is done. */
export async function compileWords() {
  const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const made = changedAt(join(compiled, 'messages.d.ts'));
  if ([...wordsFiles(), fileURLToPath(import.meta.url)].every((file) => changedAt(file) < made)) return;
  const { catalogues, base } = await readWords();
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(join(compiled, 'messages'), { recursive: true });
  const put = (name, text) => writeFileSync(join(compiled, name), text);
  put('registry.js', REGISTRY);
  put('locale.js', LOCALE);
  put('locale.d.ts', LOCALE_TYPES);
  for (const [locale, messages] of catalogues) put(`messages/${locale}.js`, moduleOf(locale, messages, base));
  put('said.js', SAID);
  put('said.d.ts', SAID_TYPES);
  const ownOf = (locale) => {
    const all = Object.entries(JSON.parse(readFileSync(join(words, `${locale}.json`), 'utf8')));
    return [locale, Object.fromEntries(all.filter(([key]) => OWN.test(key)))];
  };
  const own = Object.fromEntries(LOCALES.map(ownOf));
  put('own-messages.js', `export const OWN_MESSAGES = ${JSON.stringify(own)};\n`);
  put('own-messages.d.ts', OWN_TYPES);
  const nameOf = (locale) => locale.replaceAll('-', '_');
  put(
    'messages.js',
    [
      "import { currentLocale } from './locale.js';",
      "import { said } from './said.js';",
      ...LOCALES.map((locale) => `import * as ${nameOf(locale)} from './messages/${locale}.js';`),
      `const of = { ${LOCALES.map((locale) => `'${locale}': ${nameOf(locale)}`).join(', ')} };`,
      ...[...base].map(([key, { variants }]) => {
        const usual = `of[currentLocale()].${key}`;
        const call = OWN.test(key) ? `(i) => said('${key}', i, ${usual})` : `(i) => ${usual}(i)`;
        const hasMarkup = markupOf(variants).length > 0;
        return `export const ${key} = ${hasMarkup ? `/* @__PURE__ */ Object.assign(${call}, { parts: (i) => of[currentLocale()].${key}.parts(i) })` : call};`;
      }),
      '',
    ].join('\n'),
  );
  put(
    'messages.d.ts',
    `${PART_TYPES}${[...base].map(([key, message]) => `export declare const ${key}: ${typeOf(message)};`).join('\n')}\n`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await compileWords();
