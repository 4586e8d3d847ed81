import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Router, type Response } from 'express';
import { DomainError } from '#contracts/domain-error.js';
import { accentColours } from '#contracts/library/accent.js';
import { PUBLIC_KINDS } from '#contracts/public-address.js';
import { currentLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { markup, type Markup } from '#platform/markup.js';
import { PALETTE } from '#platform/palette.js';
import * as m from '#words/messages.js';
import { LibraryLists } from '../catalogue/lists/library-lists.js';
import { SuggestBooks } from '../catalogue/search/suggestions.queries.js';
import { pageIn } from '../http/site.js';
import { FEED_FORMS, opdsCatalogue } from './feed-forms.js';
import { Feeds } from './feeds.js';
import { FEED_PATH, FEED_TYPES, NEW_BOOKS, PUBLIC_FILES, type FeedForm } from './public-addresses.js';
import { PublicPages } from './public-pages.js';

/** What a search is suggested for, at most. */
const LONGEST_SEARCH = 200;
const XML = markup`<?xml version="1.0" encoding="UTF-8"?>
`;
const ROBOTS = `User-agent: *
Disallow: /api/
Allow: /api/Book/*/cover
Allow: /api/Library/logo/`;
const SITEMAP_PATH = new RegExp(`^/sitemap-(${PUBLIC_KINDS.join('|')})-(\\d{1,6})\\.xml$`);

/** The files by which programs know the library: search engines, readers of feeds, browsers. */
@Injectable()
export class PublicFiles {
  constructor(
    private readonly pages: PublicPages,
    private readonly feeds: Feeds,
    private readonly lists: LibraryLists,
    private readonly library: LibraryFacts,
    private readonly queries: QueryBus,
  ) {}

  routes(): Router {
    const router = Router();
    const { absolute } = this.pages;
    router.get(PUBLIC_FILES.robots, (_request, response) => {
      response.type('text').send(`${ROBOTS}\nSitemap: ${absolute(PUBLIC_FILES.sitemap)}\n`);
    });
    router.get(PUBLIC_FILES.sitemap, async (_request, response) => {
      const parts = (await this.pages.parts()).map(({ kind, part }) =>
        absolute(`/sitemap-${kind}-${part}.xml`),
      );
      sendSitemap(response, 'sitemapindex', 'sitemap', parts);
    });
    router.get(SITEMAP_PATH, async (request, response, next) => {
      const [, named, part] = SITEMAP_PATH.exec(request.path) ?? [];
      const known = (await this.pages.parts()).find(
        (each) => each.kind === named && each.part === Number(part),
      );
      if (!known) return next();
      sendSitemap(response, 'urlset', 'url', await this.pages.addresses(known.kind, known.part));
    });
    router.get(PUBLIC_FILES.search, (_request, response) => {
      send(response, 'application/opensearchdescription+xml', this.openSearch());
    });
    router.get(PUBLIC_FILES.suggestions, async (request, response) => {
      const term = typeof request.query['q'] === 'string' ? request.query['q'].slice(0, LONGEST_SEARCH) : '';
      const { books, authors } = await this.queries.execute(new SuggestBooks(term));
      const texts = [...books.map(({ title }) => title), ...authors.map(({ name }) => name)];
      send(response, 'application/x-suggestions+json', JSON.stringify([term, texts]));
    });
    router.get(PUBLIC_FILES.manifest, (_request, response) =>
      send(response, 'application/manifest+json', JSON.stringify(this.manifest())),
    );
    router.get(PUBLIC_FILES.catalogue, async (_request, response) => {
      const lists = (await this.lists.all()).map(({ id, name: title }) => ({ id, title }));
      const feeds = [{ id: NEW_BOOKS, title: m.home_newest() }, ...lists];
      send(response, FEED_TYPES.opds, opdsCatalogue(feeds, { name: this.library.name, absolute }));
    });
    router.get(FEED_PATH, async (request, response, next) => {
      const [, id = '', form] = FEED_PATH.exec(request.path) ?? [];
      const feed = await this.feeds.find(id, pageIn(request)).catch(noneWhereNotThere);
      if (!feed) return next();
      const { name } = this.library;
      send(response, FEED_TYPES[form as FeedForm], FEED_FORMS[form as FeedForm](feed, { name, absolute }));
    });
    return router;
  }

  private openSearch(): Markup {
    const { name, all } = this.library;
    const { absolute } = this.pages;
    return markup`${XML}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${(all.shortName || name).slice(0, 16)}</ShortName>
<LongName>${name.slice(0, 48)}</LongName>
<Description>${m.site_description()}</Description>
<Url type="text/html" template="${absolute('/#/catalog?q=')}{searchTerms}"/>
<Url type="application/x-suggestions+json" template="${absolute(`${PUBLIC_FILES.suggestions}?q=`)}{searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${absolute(PUBLIC_FILES.search)}"/>
<Image type="image/svg+xml">${absolute('/favicon.svg')}</Image>
<Language>${currentLanguage()}</Language>
<InputEncoding>UTF-8</InputEncoding>
<OutputEncoding>UTF-8</OutputEncoding>
</OpenSearchDescription>
`;
  }

  private manifest() {
    const { name, all } = this.library;
    return {
      ...{ id: '/', start_url: '/', scope: '/', display: 'minimal-ui', lang: currentLanguage() },
      name,
      short_name: all.shortName || name,
      description: m.site_description(),
      background_color: PALETTE.day.paper,
      theme_color: accentColours(all.accent)?.day.accent ?? PALETTE.day.accent,
      icons: [
        { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
        ...(all.logo === null
          ? []
          : [{ src: `/api/Library/logo/${all.logo}`, type: 'image/webp', sizes: 'any' }]),
      ],
    };
  }
}

function sendSitemap(response: Response, list: string, entry: string, addresses: readonly string[]): void {
  const entries = addresses.map(
    (address) => markup`<${entry}><loc>${address}</loc></${entry}>
`,
  );
  send(
    response,
    'application/xml',
    markup`${XML}<${list} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries}</${list}>
`,
  );
}

/** They are in the language of who asks, and need not be newer than a few minutes. */
function send(response: Response, type: string, content: Markup | string): void {
  response.setHeader('cache-control', 'public, max-age=300');
  response.setHeader('vary', 'cookie, accept-language');
  response.type(type).send(String(content));
}

function noneWhereNotThere(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'ListNotFound')) throw error;
}
