import { Injectable } from '@nestjs/common';
import { isFiltered, type BookFilter } from '#contracts/catalogue/book-facets.js';
import type { Correction } from '#contracts/catalogue/book-views.js';
import { canonicalIsbn } from '../isbn.js';
import { BookMatches } from './book-matches.js';
import { BrowseOrder } from './in-memory/browse-order.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { QueryReader } from './query-reader.js';
import { searchQueryOfSpellings, type SearchQuery } from './search-term.js';
import { Spelling } from './in-memory/spelling.js';
import { searchScopeOf, type SearchScope } from './search-scope.js';

/** A page of what was found, and the words that were read otherwise to find anything. */
export interface SearchedPage extends FoundPage {
  corrections: readonly Correction[];
}

/** The one way in which books are searched for: the catalogue, its administration, the desk and suggestions. */
@Injectable()
export class CatalogueSearch {
  constructor(
    private readonly reader: QueryReader,
    private readonly browse: BrowseOrder,
    private readonly matches: BookMatches,
    private readonly spelling: Spelling,
  ) {}

  /** @param filter what the books are narrowed to; words are read otherwise only where they find nothing without it */
  async find(term: string, sort: Sort, page: PageWindow, filter?: BookFilter): Promise<SearchedPage> {
    if (term.trim() === '') {
      const all = searchScopeOf(undefined, filter);
      const found = await (all.filter ? this.matches.page(all, sort, page) : this.browse.page(sort, page));
      return { ...found, corrections: [] };
    }
    const query = await this.reader.read(term);
    if (!query) return { ids: [], total: 0, corrections: [] };
    const found = await this.matches.page(searchScopeOf(query, filter), sort, page);
    if (found.total > 0) return { ...found, corrections: [] };
    const corrected = await this.correctedOf(query);
    if (!corrected) return { ...(await this.ofMergedNumber(term, page, filter)), corrections: [] };
    const forgiven = await this.matches.page(searchScopeOf(corrected, filter), sort, page);
    return { ...forgiven, corrections: await this.correctionsOf(query, corrected) };
  }

  /** A number that finds nothing may be one of a book that was merged. */
  private async ofMergedNumber(term: string, page: PageWindow, filter?: BookFilter): Promise<FoundPage> {
    const isbn = canonicalIsbn(term);
    const kept = isbn && !(filter && isFiltered(filter)) ? await this.reader.bookMerged(isbn) : undefined;
    if (kept === undefined) return { ids: [], total: 0 };
    return { ids: page.offset === 0 ? [kept] : [], total: 1 };
  }

  /**
   * What a search finds, as `find` reads the words.
   * @returns undefined where the text has neither a letter nor a digit, and so finds nothing
   */
  async wanted(term: string, filter: BookFilter): Promise<SearchScope | undefined> {
    if (term.trim() === '') return searchScopeOf(undefined, filter);
    const query = await this.reader.read(term);
    return query && searchScopeOf((await this.correctedOf(query)) ?? query, filter);
  }

  /** Where a query finds nothing, the likeliest one that was meant and finds something. */
  private async correctedOf(query: SearchQuery): Promise<SearchQuery | undefined> {
    if (await this.matches.findsAny(query)) return undefined;
    for (const corrected of await this.spelling.corrections(query)) {
      if (await this.matches.findsAny(corrected)) return corrected;
    }
    return undefined;
  }

  /** What the words were read as: of the spellings that were tried, those that books were found by. */
  private async correctionsOf(query: SearchQuery, { spellings }: SearchQuery): Promise<Correction[]> {
    const corrections: Correction[] = [];
    for (const [at, tried] of spellings.entries()) {
      const typed = query.words[at] ?? '';
      const read: string[] = [];
      for (const word of tried) {
        const alone = searchQueryOfSpellings(
          spellings.map((other, place) => (place === at ? [word] : other)),
        );
        if (await this.matches.findsAny(alone)) read.push(word);
      }
      if (read.some((word) => word !== typed)) corrections.push({ typed, read });
    }
    return corrections;
  }
}
