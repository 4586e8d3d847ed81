import { authorNames, isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import { publicAddress } from '#contracts/public-address.js';
import { currentLanguage } from '#platform/language.js';
import { markup } from '#platform/markup.js';
import type { Feed, FeedBook } from './feeds.js';
import { FEED_TYPES, feedAddress, PUBLIC_FILES, type FeedForm } from './public-addresses.js';

interface Library {
  name: string;
  /** The whole of an address of ours. */
  absolute: (address: string) => string;
}

/** A feed in a form that programs read. */
export const FEED_FORMS: Record<FeedForm, (feed: Feed, library: Library) => string> = { atom, opds };

/** Atom (RFC 4287). A book's id in it is its address without words: these change with the title. */
function atom(feed: Feed, { name, absolute }: Library): string {
  const self = absolute(feedAddress(feed.id, 'atom'));
  const entry = (book: FeedBook) => markup`<entry>
<id>${absolute(`/book/${book.id}`)}</id>
<title>${book.title}</title>
${book.authors.map(({ firstname, lastname }) => markup`<author><name>${`${firstname} ${lastname}`.trim()}</name></author>`)}
<link rel="alternate" type="text/html" href="${absolute(publicAddress('book', book))}"/>
<published>${book.addedAt.toISOString()}</published>
<updated>${book.changedAt.toISOString()}</updated>
${book.genres.map((genre) => markup`<category term="${genre.name}"/>`)}
<summary>${book.description || authorNames(book)}</summary>
</entry>
`;
  return markup`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${currentLanguage()}">
<id>${self}</id>
<title>${`${feed.title} · ${name}`}</title>
${feed.description !== '' && markup`<subtitle>${feed.description}</subtitle>`}
<updated>${updatedAt(feed).toISOString()}</updated>
<author><name>${name}</name><uri>${absolute('/')}</uri></author>
<link rel="self" type="${FEED_TYPES.atom}" href="${self}"/>
<link rel="alternate" type="text/html" href="${absolute(feed.address)}"/>
${feed.items.map(entry)}</feed>
`.toString();
}

/** OPDS 2.0: who borrows a book is led to its page. */
function opds(feed: Feed, { absolute }: Library): string {
  const { title, description, pageNumber: page, totalCount } = feed;
  const type = FEED_TYPES.opds;
  const self = absolute(feedAddress(feed.id, 'opds'));
  const pages: [string, number][] = [
    ['self', page],
    ['first', 1],
    ['previous', page - 1],
    ['next', page + 1],
  ];
  const last = Math.max(1, Math.ceil(totalCount / LIST_PAGE_SIZE));
  const start = { href: absolute(PUBLIC_FILES.catalogue), type };
  return JSON.stringify({
    metadata: {
      title,
      ...(description !== '' && { description }),
      modified: updatedAt(feed),
      ...{ numberOfItems: totalCount, itemsPerPage: LIST_PAGE_SIZE, currentPage: page },
    },
    links: [
      ...pages
        .filter(([, to]) => to >= 1 && to <= last)
        .map(([rel, to]) => ({ rel, href: to === 1 ? self : `${self}?page=${to}`, type })),
      { rel: 'start', ...start },
      { rel: 'alternate', href: absolute(feed.address), type: 'text/html' },
    ],
    // A feed without books has to lead somewhere.
    ...(feed.items.length > 0
      ? { publications: feed.items.map((book) => publication(book, absolute)) }
      : { navigation: [{ ...start, title }] }),
  });
}

/** The catalogue that OPDS readers begin with. */
export function opdsCatalogue(
  feeds: readonly { id: string; title: string }[],
  { name, absolute }: Library,
): string {
  const type = FEED_TYPES.opds;
  return JSON.stringify({
    metadata: { title: name },
    links: [
      { rel: ['self', 'start'], href: absolute(PUBLIC_FILES.catalogue), type },
      { rel: 'alternate', href: absolute('/'), type: 'text/html' },
    ],
    navigation: feeds.map(({ id, title }) => ({ href: absolute(feedAddress(id, 'opds')), title, type })),
  });
}

function publication(book: FeedBook, absolute: Library['absolute']) {
  const { isbn, series, volume, authors, genres, publisher, publicationDate, language, photo } = book;
  const isLent = book.kind !== 'reading-room' && book.copiesAvailable > 0;
  return {
    metadata: {
      '@type': 'http://schema.org/Book',
      title: book.title,
      identifier: isInternalNumber(isbn) ? absolute(`/book/${book.id}`) : `urn:isbn:${isbn}`,
      ...(authors.length > 0 && {
        author: authors.map(({ id, firstname, lastname }) => {
          const name = `${firstname} ${lastname}`.trim();
          const href = absolute(publicAddress('author', { id, title: name }));
          return { name, links: [{ href, type: 'text/html' }] };
        }),
      }),
      ...(publisher && { publisher: publisher.name }),
      ...(publicationDate !== null && { published: publicationDate }),
      ...(language !== null && { language }),
      ...(genres.length > 0 && { subject: genres.map((genre) => genre.name) }),
      ...(book.description !== '' && { description: book.description }),
      ...(series !== null && {
        belongsTo: {
          series: { name: series, ...(/^\d+$/.test(volume ?? '') && { position: Number(volume) }) },
        },
      }),
      modified: book.changedAt,
    },
    links: [
      {
        rel: 'http://opds-spec.org/acquisition/borrow',
        href: absolute(publicAddress('book', book)),
        type: 'text/html',
        properties: {
          availability: { state: isLent ? 'available' : 'unavailable' },
          copies: { total: book.copiesTotal, available: book.copiesAvailable },
        },
      },
    ],
    ...(photo && { images: [{ href: absolute(photo.url), type: 'image/webp' }] }),
  };
}

/** Of a feed without books nothing has ever changed. */
const updatedAt = ({ items }: Feed) =>
  new Date(Math.max(0, ...items.map(({ changedAt }) => changedAt.getTime())));
