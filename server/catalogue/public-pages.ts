import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { bookAddress } from '#contracts/catalogue/book-address.js';
import { bookIdSchema, type Book } from '#contracts/catalogue/book-views.js';
import { DomainError } from '#contracts/domain-error.js';
import { languageNames } from '#contracts/catalogue/language.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import type { ReadablePage, ReadablePages } from '../http/site.js';
import { GetBook } from './book.queries.js';

/** Books in a part of the sitemap. */
const PART = 50_000;
const DESCRIPTION = 300;

/** What of the catalogue can be read without scripts and found by search engines. */
@Injectable()
export class PublicPages implements ReadablePages {
  constructor(
    private readonly queries: QueryBus,
    private readonly library: LibraryFacts,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  async book(number: string): Promise<ReadablePage | undefined> {
    const { success, data: id } = bookIdSchema.safeParse(Number(number));
    if (!success) return undefined;
    try {
      return this.pageOf(await this.queries.execute(new GetBook({ id })));
    } catch (error) {
      if (error instanceof DomainError && error.code === 'BookNotFound') return undefined;
      throw error;
    }
  }

  absolute(address: string): string {
    return `${publicUrl(this.settings)}${address}`;
  }

  async parts(): Promise<number> {
    const [row] = await queryRows(
      this.database,
      z.object({ last: z.int() }),
      'select coalesce(max(id), 0) as last from book',
    );
    return Math.ceil((row?.last ?? 0) / PART);
  }

  async addresses(part: number): Promise<string[]> {
    const rows = await queryRows(
      this.database,
      z.object({ id: z.int(), title: z.string() }),
      'select id, title from book where id > $1 and id <= $2 order by id',
      [(part - 1) * PART, part * PART],
    );
    return rows.map((book) => this.absolute(bookAddress(book)));
  }

  private pageOf(book: Book): ReadablePage {
    const { title, authors, isbn, published, publisher, language, genres, photo, description } = book;
    const address = bookAddress(book);
    const written = authors.map(({ fullname }) => fullname).join(', ');
    const said = description.replace(/\s+/g, ' ').trim();
    const available = m.public_book_available({ count: book.copiesAvailable, all: book.copiesTotal });
    const facts: [string, string | null | undefined][] = [
      [m.book_published(), published],
      [m.common_publisher(), publisher?.name],
      [m.book_genre({ count: genres.length }), genres.map(({ name }) => name).join(', ')],
      [m.common_language(), language && languageNames(currentLanguage())(language)],
      [m.common_isbn(), isbn],
    ];
    return {
      address,
      title: written === '' ? title : `${title} – ${written}`,
      description: (said === '' ? available : said).slice(0, DESCRIPTION),
      picture: photo?.url,
      data: this.dataOf(book, address),
      html: `<main class="public-page"><p><a href="/">${escape(this.library.name)}</a></p><article>
<h1>${escape(title)}</h1>
${written === '' ? '' : `<p>${escape(written)}</p>`}
<p><strong>${escape(available)}</strong></p>
${photo ? `<p><img src="${escape(photo.url)}" alt="" width="200"></p>` : ''}
<dl>${facts.map(([name, value]) => (value ? `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>` : '')).join('')}</dl>
${description
  .split(/\n{2,}/)
  .map((text) => (text.trim() === '' ? '' : `<p>${escape(text.trim())}</p>`))
  .join('\n')}
<p><a href="/#/catalog">${escape(m.book_back_to_catalogue())}</a></p>
</article></main>`,
    };
  }

  private dataOf(book: Book, address: string): object {
    const { title, authors, isbn, published, publisher, language, genres, photo, description } = book;
    const { address: street, phone, email } = this.library.all;
    const url = this.absolute(address);
    return {
      '@context': 'https://schema.org',
      '@type': 'Book',
      '@id': url,
      url,
      name: title,
      ...(authors.length > 0 && {
        author: authors.map(({ fullname }) => ({ '@type': 'Person', name: fullname })),
      }),
      ...(/^(97[89])?\d{9}[\dX]$/.test(isbn) && { isbn }),
      ...(published !== null && { datePublished: published }),
      ...(publisher && { publisher: { '@type': 'Organization', name: publisher.name } }),
      ...(language !== null && { inLanguage: language }),
      ...(genres.length > 0 && { genre: genres.map(({ name }) => name) }),
      ...(description !== '' && { description }),
      ...(photo && { image: this.absolute(photo.url) }),
      offers: {
        '@type': 'Offer',
        businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut',
        availability: `https://schema.org/${book.copiesAvailable > 0 ? 'InStock' : 'OutOfStock'}`,
        url,
        offeredBy: {
          '@type': 'Library',
          name: this.library.name,
          url: this.absolute('/'),
          ...(street !== '' && { address: street }),
          ...(phone !== '' && { telephone: phone }),
          ...(email !== '' && { email }),
        },
      },
    };
  }
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
