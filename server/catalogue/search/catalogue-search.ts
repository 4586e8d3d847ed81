import { Injectable } from '@nestjs/common';
import { isFiltered, type BookFilter } from '#contracts/catalogue/book-facets.js';
import type { Correction, PartialMatches } from '#contracts/catalogue/book-views.js';
import { canonicalIsbn } from '../isbn.js';
import { BookMatches } from './book-matches.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { BrowseOrder } from './in-memory/browse-order.js';
import { QueryReader } from './query-reader.js';
import { SearchAnswers, type ListedPart } from './search-answers.js';
import type { SearchPart } from './search-term.js';
import { scopeOfBooks, searchScopeOf, type SearchScope } from './search-scope.js';

/** A page of what was found, and how it was found. */
export interface SearchedPage extends FoundPage {
  /** The words that were read otherwise to find anything. */
  corrections: readonly Correction[];
  /** Which of the last books of the whole list have a part of what was looked for only. */
  partial: readonly PartialMatches[];
  /** What the first books have. */
  terms: readonly SearchPart[];
}

const NOTHING: SearchedPage = { ids: [], total: 0, corrections: [], partial: [], terms: [] };

/** The one way in which books are searched for: the catalogue, its administration, the desk and suggestions. */
@Injectable()
export class CatalogueSearch {
  constructor(
    private readonly reader: QueryReader,
    private readonly browse: BrowseOrder,
    private readonly matches: BookMatches,
    private readonly answers: SearchAnswers,
  ) {}

  /** @param filter what the books are narrowed to; what words are read as, and what is listed, is the same without it */
  async find(term: string, sort: Sort, page: PageWindow, filter?: BookFilter): Promise<SearchedPage> {
    if (term.trim() === '') {
      const all = searchScopeOf(undefined, filter);
      const found = await (all.filter ? this.matches.page(all, sort, page) : this.browse.page(sort, page));
      return { ...NOTHING, ...found };
    }
    const typed = await this.reader.read(term);
    if (!typed) return NOTHING;
    const { query, corrections, parts } = await this.answers.to(typed);
    if (!parts) {
      const found = await this.matches.page(searchScopeOf(query, filter), sort, page);
      return { ...found, corrections, partial: [], terms: query.terms };
    }
    if (parts.length === 0) return { ...NOTHING, ...(await this.ofMergedNumber(term, page, filter)) };
    return { ...(await this.listed(parts, sort, page, filter)), corrections, terms: query.terms };
  }

  /**
   * What a search finds, as `find` reads the words.
   * @returns undefined where the text has neither a letter nor a digit, and so finds nothing
   */
  async wanted(term: string, filter: BookFilter): Promise<SearchScope | undefined> {
    if (term.trim() === '') return searchScopeOf(undefined, filter);
    const typed = await this.reader.read(term);
    if (!typed) return undefined;
    const { query, parts } = await this.answers.to(typed);
    return parts
      ? scopeOfBooks(
          parts.flatMap(({ ids }) => ids),
          filter,
        )
      : searchScopeOf(query, filter);
  }

  /** Those first that have everything, then part by part; each in the order. */
  private async listed(
    parts: readonly ListedPart[],
    sort: Sort,
    { offset, limit }: PageWindow,
    filter: BookFilter | undefined,
  ): Promise<FoundPage & Pick<SearchedPage, 'partial'>> {
    const found = await Promise.all(
      parts.map(async ({ without, ids }) => {
        const all = { offset: 0, limit: ids.length };
        return { without, ids: (await this.matches.page(scopeOfBooks(ids, filter), sort, all)).ids };
      }),
    );
    const ids = found.flatMap((part) => part.ids);
    const partial = found
      .filter((part) => part.without.length > 0 && part.ids.length > 0)
      .map((part) => ({ without: [...part.without], books: part.ids.length }));
    return { ids: ids.slice(offset, offset + limit), total: ids.length, partial };
  }

  /** A number that finds nothing may be one of a book that was merged. */
  private async ofMergedNumber(term: string, page: PageWindow, filter?: BookFilter): Promise<FoundPage> {
    const isbn = canonicalIsbn(term);
    const kept = isbn && !(filter && isFiltered(filter)) ? await this.reader.bookMerged(isbn) : undefined;
    if (kept === undefined) return { ids: [], total: 0 };
    return { ids: page.offset === 0 ? [kept] : [], total: 1 };
  }
}
