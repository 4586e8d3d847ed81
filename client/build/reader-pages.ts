import type { Rolldown } from 'vite';

/** Pages on which a visit begins, by the first part of their address, and the module that draws each. */
export const READER_PAGES: Readonly<Record<string, string>> = {
  '': 'home/home-page',
  home: 'home/home-page',
  catalog: 'catalogue/catalogue-page',
  book: 'book/book-page',
  cart: 'cart/cart-page',
  login: 'login/login-page',
  register: 'registration/registration-page',
  profile: 'profile/profile-page',
};

type ImportsOf = (id: string) => readonly string[];

/**
 * The schema library and the contracts as they are written: a page that is drawn has the described ones. The currency and what a
 * permission allows have no schema, and every page needs them: they must be there before.
 */
const WITH_SCHEMAS = /\/(zod\/|contracts\/(?!currency\.|allows\.)[^?]*$|lib\/jitless-zod)/;

/**
 * Puts what most of these pages are drawn with beside what every page needs, into one file, and what else one or two of
 * them are drawn with into another: a dozen small ones would be smaller for some page, but each would cost a telephone another
 * round trip, and the list of them every page some kilobytes.
 * @param site the folder of the site's sources, with a slash at its end
 */
export function sharedByPages(site: string): Rolldown.CodeSplittingNameFunction {
  let fileOf: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    fileOf ??= filesOf(site, importsIn(graph));
    if (id.endsWith(RUNTIME)) return EVERY_PAGE;
    return WITH_SCHEMAS.test(id) ? null : fileOf.get(id);
  };
}

const EVERY_PAGE = 'site';
/** The bundler's own functions. */
const RUNTIME = 'rolldown/runtime.js';
/** What so many pages are drawn with counts as what every page needs. */
const MANY = 3;

function filesOf(site: string, importsOf: ImportsOf): ReadonlyMap<string, string> {
  const reachedFrom = (start: string): Set<string> => {
    const reached = new Set([start]);
    for (const id of reached) {
      if (!WITH_SCHEMAS.test(id)) for (const imported of importsOf(id)) reached.add(imported);
    }
    return reached;
  };
  const pagesOf = new Map<string, string[]>();
  for (const page of new Set(Object.values(READER_PAGES))) {
    for (const id of reachedFrom(`${site}features/${page}.tsx`)) {
      const [name = page] = page.split('/');
      pagesOf.set(id, [...(pagesOf.get(id) ?? []), name]);
    }
  }
  const onEveryPage = reachedFrom(`${site}app/main.tsx`);
  const files = new Map([...onEveryPage].map((id) => [id, EVERY_PAGE]));
  for (const [id, pages] of pagesOf) {
    if (pages.length >= MANY) files.set(id, EVERY_PAGE);
    // Of a package some part may be for other pages: that is for the bundler to say.
    else if (!/\/(features|node_modules)\//.test(id) && !onEveryPage.has(id)) files.set(id, pages.join('-'));
  }
  return files;
}

/**
 * A contract without the schema library, of which each page needs some calls: each call is a module of its own.
 * @returns the name by which other modules import such a contract
 */
function contractImportedAs(id: string): string | undefined {
  const [, contract] = /\/(contracts\/[^?]+)\.ts\?described$/.exec(id) ?? [];
  return contract && `#${contract}.js`;
}

const isCall = (id: string) => id.includes('?described=');
const nameOfCall = (id: string) => id.replace(/.*=/, '');

/** What a module imports; of a contract only the calls that it names. */
function importsIn(graph: Parameters<Rolldown.CodeSplittingNameFunction>[1]): ImportsOf {
  const callsOf = (contract: string) => (graph.getModuleInfo(contract)?.importedIds ?? []).filter(isCall);
  return (id) => {
    const { importedIds = [], code } = graph.getModuleInfo(id) ?? {};
    if (contractImportedAs(id) !== undefined) return importedIds.filter((imported) => !isCall(imported));
    return importedIds.flatMap((imported) => {
      const name = contractImportedAs(imported);
      if (name === undefined) return imported;
      const named = namedFrom(name, code ?? '');
      return [imported, ...callsOf(imported).filter((call) => named?.includes(nameOfCall(call)) ?? true)];
    });
  };
}

/** The names that a module's code imports from another; undefined where it imports all. */
function namedFrom(source: string, code: string): string[] | undefined {
  const imports = [...code.matchAll(/import\s*(\{[^}]*\}|\*)[^"'{}]*from\s*["']([^"']*)["']/g)].filter(
    ([, , from]) => from === source,
  );
  if (imports.length === 0 || imports.some(([, names]) => names === '*')) return undefined;
  return imports
    .flatMap(([, names = '']) => names.slice(1, -1).split(','))
    .map((name) => name.replace(/ as .*/, '').trim());
}
