import type { ReadablePage } from '../http/site.js';

/** Where the files are that tell programs of the library. */
export const PUBLIC_FILES = {
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  search: '/opensearch.xml',
  suggestions: '/suggestions.json',
  manifest: '/site.webmanifest',
  catalogue: '/feed.opds',
} as const;

export const FEED_TYPES = { atom: 'application/atom+xml', opds: 'application/opds+json' } as const;
export type FeedForm = keyof typeof FEED_TYPES;

/** The feed of what is new; that of a list has the list's id. */
export const NEW_BOOKS = 'new';

export const FEED_PATH = /^\/feed\/([\w-]+)\.(atom|opds)$/;
export const feedAddress = (id: string, form: FeedForm) => `/feed/${id}.${form}`;

/** What leads from a page to the feeds of what it shows. */
export const feedLinks = (id: string, title: string): ReadablePage['links'] =>
  (['atom', 'opds'] as const).map((form) => ({
    ...{ rel: 'alternate', type: FEED_TYPES[form], href: feedAddress(id, form), title },
  }));
