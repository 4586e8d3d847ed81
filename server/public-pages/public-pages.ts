import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { isInternalNumber, publishedText } from '#contracts/catalogue/book-facts.js';
import { bookIdSchema, CATALOGUE_PAGE_SIZE } from '#contracts/catalogue/book-views.js';
import { languageNames } from '#contracts/catalogue/language.js';
import { DomainError } from '#contracts/domain-error.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import type { ProblemCode } from '#contracts/problem.js';
import { publicAddress, PUBLIC_KINDS, type PublicKind, type PublicThing } from '#contracts/public-address.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { currentLanguage } from '#platform/language.js';
import { LibraryFacts } from '#platform/library-facts.js';
import { markup, type Markup } from '#platform/markup.js';
import { publicUrl } from '#platform/public-url.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import * as m from '#words/messages.js';
import { AUTHORS } from '../catalogue/authorities/authority-kinds.js';
import { AuthorityQueries } from '../catalogue/authorities/authority.queries.js';
import { GetBook, ListBooks } from '../catalogue/book.queries.js';
import { LibraryLists } from '../catalogue/lists/library-lists.js';
import { ShelvesQueries } from '../catalogue/shelves/shelves.queries.js';
import type { ReadablePage, ReadablePages } from '../http/site.js';
import { RuleChanges } from '../rules/rule-changes.js';
import { feedLinks, NEW_BOOKS, PUBLIC_FILES } from './public-addresses.js';
import { bookContent, bookGrid, head, pageLayout, pagesOf, sections, shelf, welcome } from './page-layout.js';
import { authorData, bookData, libraryData, listData } from './structured-data.js';

/** Addresses in a part of the sitemap. */
const PART = 50_000;
const DESCRIPTION = 300;
const NOT_THERE: readonly ProblemCode[] = ['BookNotFound', 'NotFound', 'ListNotFound'];

const lastNumber = (table: 'book' | 'author') =>
  `select greatest((select max(id) from ${table}), pg_sequence_last_value(pg_get_serial_sequence('${table}', 'id')::regclass), 0)::integer as last`;

/** The author who stands for one who was merged into another, perhaps more than once. */
const KEPT_AUTHOR = `
  with recursive kept as (
    select $1::integer as id, 0 as step
    union all
    select m.kept_id, step + 1 from kept k join merged_record r on r.id = k.id
      join catalogue_merge m on m.id = r.merge_id and m.kind = 'author' and m.undone_at is null)
  select id from kept order by step desc limit 1`;

/** How one of a kind is found, and all of them: by numbers up to the last that was ever given. */
interface Kind {
  page(id: string, pageNumber: number): Promise<ReadablePage>;
  last: string;
  named: string;
}

/** What of the library can be read without scripts and is found by search engines. */
@Injectable()
export class PublicPages implements ReadablePages {
  private readonly kinds: Record<PublicKind, Kind> = {
    home: {
      page: () => this.home(),
      last: 'select 1 as last',
      named: `select 0 as id, '' as title where $1 < $2`,
    },
    book: {
      page: (id) => this.book(Number(id)),
      last: lastNumber('book'),
      named: 'select id, title from book where id > $1 and id <= $2 order by id',
    },
    author: {
      page: (id, page) => this.author(Number(id), page),
      last: lastNumber('author'),
      named: `select id, btrim(firstname || ' ' || lastname) as title from author a
        where id > $1 and id <= $2 and exists (select from book_author b where b.author_id = a.id) order by id`,
    },
    list: {
      page: (id, page) => this.list(id, page),
      last: 'select coalesce(max(position), 0) as last from reading_list where account_id is null',
      named: `select id, name as title from reading_list
        where account_id is null and position > $1 and position <= $2 order by position`,
    },
  };

  constructor(
    private readonly queries: QueryBus,
    private readonly authorities: AuthorityQueries,
    private readonly lists: LibraryLists,
    private readonly shelves: ShelvesQueries,
    private readonly rules: RuleChanges,
    private readonly library: LibraryFacts,
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: ResolvedSettings,
  ) {}

  readonly absolute = (address: string): string => `${publicUrl(this.settings)}${encodeURI(address)}`;

  async find({ kind, id }: PublicThing, pageNumber: number): Promise<ReadablePage | 404 | 410> {
    if (/^\d+$/.test(id) && !bookIdSchema.safeParse(Number(id)).success) return 404;
    try {
      return await this.kinds[kind].page(id, pageNumber);
    } catch (error) {
      if (!(error instanceof DomainError && NOT_THERE.includes(error.code))) throw error;
      return Number(id) > 0 && Number(id) <= (await this.last(kind)) ? 410 : 404;
    }
  }

  /** The parts of the sitemap: of each kind, counted from 1. */
  async parts(): Promise<{ kind: PublicKind; part: number }[]> {
    const all = PUBLIC_KINDS.map(async (kind) =>
      Array.from({ length: Math.ceil((await this.last(kind)) / PART) }, (_, at) => ({ kind, part: at + 1 })),
    );
    return (await Promise.all(all)).flat();
  }

  async addresses(kind: PublicKind, part: number): Promise<string[]> {
    const rows = await queryRows(
      this.database,
      z.object({ id: z.union([z.int(), z.uuid()]), title: z.string() }),
      this.kinds[kind].named,
      [(part - 1) * PART, part * PART],
    );
    return rows.map((row) => this.absolute(kind === 'home' ? '/' : publicAddress(kind, row)));
  }

  private async last(kind: PublicKind): Promise<number> {
    const row = await queryRow(this.database, z.object({ last: z.int() }), this.kinds[kind].last);
    return row?.last ?? 0;
  }

  private async home(): Promise<ReadablePage> {
    const [shelves, lists] = await Promise.all([this.shelves.find(), this.lists.onHome()]);
    const hours = this.rules.openingHours();
    const told = hours.days.filter(({ isOpen, hours: set }) => !isOpen || set !== null).slice(0, 7);
    return this.page('/', {
      title: this.library.name,
      description: m.site_description(),
      type: 'website',
      data: libraryData(hours, this.library, this.absolute),
      content: sections(
        welcome(),
        shelf(m.home_newest(), shelves.newest),
        ...lists.map(({ id, name, books }) => shelf(name, books, publicAddress('list', { id, title: name }))),
        shelf(m.home_much_read(), shelves.muchRead),
        ...shelves.genres.map(({ name, books }) => shelf(name, books)),
        told.length > 0 &&
          markup`<section><h2>${m.hours_title()}</h2><dl class="max-w-88 mt-2 text-1 tabular-nums">${told.map(
            ({ day, hours: set }) =>
              markup`<div class="flex justify-between gap-4 py-1 border-b border-line"><dt>${m.hours_named_day({ day })}</dt><dd>${
                set ? `${set.opens}–${set.closes}` : m.hours_closed()
              }</dd></div>`,
          )}</dl></section>`,
      ),
    });
  }

  private async book(id: number): Promise<ReadablePage> {
    const book = await this.queries.execute(new GetBook({ id }));
    const { title, authors, isbn, published, publisher, language, genres, photo } = book;
    const address = publicAddress('book', book);
    const written = authors.map(({ fullname }) => fullname).join(', ');
    const said = book.description.replace(/\s+/g, ' ').trim();
    const available = m.public_book_available({ count: book.copiesAvailable, all: book.copiesTotal });
    const facts: [string, string | null | undefined][] = [
      [m.book_published(), publishedText(published)],
      [m.common_publisher(), publisher?.name],
      [m.book_genre({ count: genres.length }), genres.map(({ name }) => name).join(', ')],
      [m.common_language(), language && languageNames(currentLanguage())(language)],
      [m.common_isbn(), isInternalNumber(isbn) ? null : isbn],
    ];
    return this.page(address, {
      title: written === '' ? title : `${title} – ${written}`,
      description: said === '' ? available : said,
      picture: photo?.url,
      type: 'book',
      data: bookData(book, address, this.library, this.absolute),
      content: bookContent(book, available, facts),
    });
  }

  private async author(asked: number, pageNumber: number): Promise<ReadablePage> {
    const kept = await queryRow(this.database, z.object({ id: z.int() }), KEPT_AUTHOR, [asked]);
    const author = await this.authorities.get(AUTHORS, kept?.id ?? asked);
    const { id, fullname: title } = author;
    const pageSize = CATALOGUE_PAGE_SIZE;
    const query = { SearchTerm: '', SortBy: 'none' as const, author: [id], pageNumber, pageSize };
    const { items, totalCount } = await this.queries.execute(new ListBooks({ query }));
    const address = publicAddress('author', { id, title });
    const count = m.lists_books({ count: totalCount });
    const pages = pagesOf(address, pageNumber, totalCount, pageSize);
    return this.page(pages.address, {
      title,
      description: author.biography || `${title}: ${count}`,
      type: 'profile',
      data: authorData(author, address, this.absolute),
      links: pages.links,
      content: sections(
        head(m.catalog_facet_author(), title, [
          author.otherNames.length > 0 && m.book_other_names({ names: author.otherNames.join(', ') }),
          author.biography,
          count,
        ]),
        bookGrid(items),
        pages.turns,
      ),
    });
  }

  private async list(id: string, pageNumber: number): Promise<ReadablePage> {
    const list = await this.lists.page(id, { pageNumber, pageSize: LIST_PAGE_SIZE });
    const { name: title, description, items, totalCount } = list;
    const count = m.lists_books({ count: totalCount });
    const pages = pagesOf(publicAddress('list', { id, title }), pageNumber, totalCount, LIST_PAGE_SIZE);
    const first = (pageNumber - 1) * LIST_PAGE_SIZE + 1;
    return this.page(pages.address, {
      title,
      description: description || `${m.lists_of_library()}: ${count}`,
      type: 'website',
      data: listData({ name: title, description }, items, first, this.absolute),
      links: [...pages.links, ...feedLinks(id, title)],
      content: sections(
        head(m.lists_of_library(), title, [description, count]),
        bookGrid(items),
        pages.turns,
      ),
    });
  }

  private page(
    address: string,
    {
      content,
      links = [],
      description,
      ...page
    }: Omit<ReadablePage, 'address' | 'html' | 'links'> & {
      content: Markup;
      links?: ReadablePage['links'];
    },
  ): ReadablePage {
    return {
      ...page,
      address,
      description: description.replace(/\s+/g, ' ').slice(0, DESCRIPTION),
      html: pageLayout(this.library, address, content),
      links: [...this.commonLinks(), ...links],
    };
  }

  private readonly commonLinks = (): ReadablePage['links'] => [
    { rel: 'manifest', href: PUBLIC_FILES.manifest },
    {
      ...{ rel: 'search', type: 'application/opensearchdescription+xml' },
      href: PUBLIC_FILES.search,
      title: this.library.name,
    },
    ...feedLinks(NEW_BOOKS, m.home_newest()),
  ];
}
