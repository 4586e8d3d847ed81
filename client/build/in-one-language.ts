import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const words = fileURLToPath(new URL('../../words/', import.meta.url));
const compiled = `${words}compiled/`;
/** What the page itself says, before anything is loaded. */
const OF_THE_PAGE = ['site_description', 'site_loading', 'site_no_script'] as const;

/** Of the module of what another module says. */
const WORDS = '?words';

const wordsOf = (locale: string) =>
  JSON.parse(readFileSync(`${words}${locale}.json`, 'utf8')) as Partial<Record<string, string>>;

/** The functions of a language by their keys, as they were compiled, and what stands before all of them. */
function functionsOf(locale: string): { head: string; byKey: Map<string, string> } {
  const path = (relative: string) => new URL(relative, `file://${compiled}messages/`).pathname;
  const text = readFileSync(`${compiled}messages/${locale}.js`, 'utf8');
  const [head = '', ...functions] = text.split(/^(?=export )/m);
  const key = /^export (?:const |\{ )(\w+)/;
  return {
    head: head.replaceAll(/'(\.\.?\/[^']+)'/g, (_, relative: string) => `'${path(relative)}'`),
    byKey: new Map(functions.map((each) => [key.exec(each)?.[1] ?? '', each])),
  };
}

/**
 * Builds the site in one language, and its page as `index.<locale>.html`. Each module has the messages that it says in a module of its
 * own, which goes where it goes: a page loads the words that it shows and nothing else.
 * @param locale of `words/`; another name (of Vite's own modes) stands for English
 */
export function inOneLanguage(locale: string): Plugin {
  const isKnown = existsSync(`${compiled}messages/${locale}.js`);
  const english = wordsOf('en');
  const said = isKnown && existsSync(`${words}${locale}.json`) ? { ...english, ...wordsOf(locale) } : english;
  const [own, base] = [functionsOf(isKnown ? locale : 'en'), functionsOf('en')];
  return {
    name: 'lectern-in-one-language',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === '#words/messages.js' && importer !== undefined
        ? { id: importer.replace(/\?.*/, '') + WORDS, moduleSideEffects: false }
        : null,
    load(id) {
      if (!id.endsWith(WORDS)) return null;
      const source = readFileSync(id.slice(0, -WORDS.length), 'utf8');
      const keys = new Set([...source.matchAll(/\bm\.(\w+)/g)].map(([, key = '']) => key));
      const functions = [...keys].map((key) => {
        const text = own.byKey.get(key);
        // What the language lacks is said in English.
        return text === undefined || text.startsWith('export {') ? base.byKey.get(key) : text;
      });
      return { code: [own.head, ...functions].join('\n'), moduleSideEffects: false };
    },
    transformIndexHtml: (html) =>
      OF_THE_PAGE.reduce(
        (page, key) => page.replace(english[key] ?? key, said[key] ?? key),
        html.replace('lang="en"', `lang="${isKnown ? locale.replace(/-x-.*/, '') : 'en'}"`),
      ),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page) page.fileName = `index.${locale}.html`;
      },
    },
  };
}
