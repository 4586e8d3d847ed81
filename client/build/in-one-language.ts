import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const words = fileURLToPath(new URL('../../words/', import.meta.url));
const compiled = `${words}compiled/`;
/** What the page itself says, before anything is loaded. */
const OF_THE_PAGE = ['site_description', 'site_loading', 'site_no_script'] as const;

const wordsOf = (locale: string) =>
  JSON.parse(readFileSync(`${words}${locale}.json`, 'utf8')) as Partial<Record<string, string>>;

/**
 * Builds the site in one language: its messages become what it says, so that a page loads the words that it shows and nothing else,
 * and its page is `index.<locale>.html`.
 * @param locale of `words/`; another name (of Vite's own modes) stands for English
 */
export function inOneLanguage(locale: string): Plugin {
  const own = `${compiled}messages/${locale}.js`;
  const isKnown = existsSync(own);
  const messages = isKnown ? own : `${compiled}messages/en.js`;
  const english = wordsOf('en');
  const said = isKnown ? { ...english, ...wordsOf(locale) } : english;
  return {
    name: 'lectern-in-one-language',
    enforce: 'pre',
    resolveId: (source) =>
      source === '#words/messages.js' ? { id: messages, moduleSideEffects: false } : null,
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
