import { foldText } from './fold-text.js';

const NUMBERED = (kind: string) => new RegExp(`^/${kind}/(\\d+)(?:-.*)?$`);

/**
 * What everybody finds by an address that needs no scripts. `path` reads one: what is before the words decides. `route` is the site's
 * own page, into which it turns where scripts run.
 */
export const PUBLIC_PAGES = {
  home: { path: /^\/()$/, route: () => '/' },
  book: { path: NUMBERED('book'), route: (id: string) => `/book/${id}` },
  author: {
    path: NUMBERED('author'),
    route: (id: string, page: number) => `/catalog?author=${id}&page=${page}`,
  },
  list: {
    path: /^\/list\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:-.*)?$/,
    route: (id: string, page: number) => `/shelf/${id}?page=${page}`,
  },
} as const;
export type PublicKind = keyof typeof PUBLIC_PAGES;
export const PUBLIC_KINDS = Object.keys(PUBLIC_PAGES) as PublicKind[];

export interface PublicThing {
  kind: PublicKind;
  /** Empty for the home page. */
  id: string;
}

/** What is asked for by the path of an address; undefined where it is no such path. */
export function publicThingAt(path: string): PublicThing | undefined {
  for (const kind of PUBLIC_KINDS) {
    const [, id] = PUBLIC_PAGES[kind].path.exec(path) ?? [];
    if (id !== undefined) return { kind, id };
  }
  return undefined;
}

/** Characters of the words in an address: enough to know the thing by, and not cut by who prints it. */
const WORDS = 60;

/** The address of a book, an author or a list for everybody: `/book/12-the-history-of-dust`. */
export function publicAddress(
  kind: Exclude<PublicKind, 'home'>,
  { id, title }: { id: number | string; title: string },
): string {
  const words = foldText(title).match(/[\p{L}\p{N}]+/gu) ?? [];
  let said = '';
  for (const word of words) {
    if (said.length + word.length > WORDS) break;
    said += `-${word}`;
  }
  return `/${kind}/${id}${said}`;
}
