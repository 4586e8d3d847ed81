import type { Plugin, Rolldown } from 'vite';
import { READER_PAGES } from './reader-pages.js';

/** What draws the page of an address, by its first part; of the areas of staff, what knows their pages. */
const DRAWN_BY: [string, string][] = [
  ...Object.entries(READER_PAGES).map(([page, module]): [string, string] => [page, `features/${module}`]),
  ['admin', 'app/staff-routes'],
  ['audit', 'app/staff-routes'],
];

/**
 * Names the files of each page in the document, where `theme.js` asks for those of the page that the address names: they come
 * beside the site's entry, not after it.
 */
export function pageParts(): Plugin {
  return {
    name: 'lectern-page-parts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const inDocument = (file: string) => html.includes(`/${file}"`);
        const parts = DRAWN_BY.map(([page, module]) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`${module}.tsx`));
          if (!chunk) throw new Error(`No chunk draws the page ${module}.`);
          return [page, filesOf(chunk, bundle).filter((file) => !inDocument(file))];
        });
        return html.replace(
          '"lectern-parts" content=""',
          `"lectern-parts" content='${JSON.stringify(Object.fromEntries(parts))}'`,
        );
      },
    },
  };
}

/** The files that a chunk needs, styles too; and those that it asks for as soon as it is there. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const seen = new Set<string>();
  const add = (name: string): void => {
    const file = bundle[name];
    if (seen.has(name) || file?.type !== 'chunk') return;
    seen.add(name);
    file.imports.forEach(add);
    file.viteMetadata?.importedCss.forEach((css) => seen.add(css));
  };
  add(chunk.fileName);
  return [...seen];
}
