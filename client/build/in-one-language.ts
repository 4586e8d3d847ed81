import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const compiled = fileURLToPath(new URL('../../words/compiled/', import.meta.url));

/**
 * Builds the site in one language: its messages become what it says, so that a page loads the words that it shows and nothing else,
 * and its page is `index.<locale>.html`.
 * @param locale of `words/`; another name (of Vite's own modes) stands for English
 */
export function inOneLanguage(locale: string): Plugin {
  const own = `${compiled}messages/${locale}.js`;
  const messages = existsSync(own) ? own : `${compiled}messages/en.js`;
  return {
    name: 'lectern-in-one-language',
    enforce: 'pre',
    resolveId: (source) =>
      source === '#words/messages.js' ? { id: messages, moduleSideEffects: false } : null,
    transformIndexHtml: (html) => html.replace('lang="en"', `lang="${locale.replace(/-x-.*/, '')}"`),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page) page.fileName = `index.${locale}.html`;
      },
    },
  };
}
