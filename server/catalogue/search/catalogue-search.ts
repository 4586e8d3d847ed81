import { Injectable } from '@nestjs/common';
import type { Correction } from '#contracts/catalogue/book-views.js';
import { BookMatches } from './book-matches.js';
import { BrowseOrder } from './browse-order.js';
import type { FoundPage, PageWindow, Sort } from './found-page.js';
import { QueryReader } from './query-reader.js';
import { searchQueryOfSpellings, type SearchQuery } from './search-term.js';
import { Spelling } from './spelling.js';

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

  async find(term: string, sort: Sort, page: PageWindow): Promise<SearchedPage> {
    if (term.trim() === '') return { ...(await this.browse.page(sort, page)), corrections: [] };
    const query = await this.reader.read(term);
    if (!query) return { ids: [], total: 0, corrections: [] };
    const found = await this.matches.page(query, sort, page);
    if (found.total > 0) return { ...found, corrections: [] };
    for (const corrected of await this.spelling.corrections(query)) {
      const forgiven = await this.matches.page(corrected, sort, page);
      if (forgiven.total > 0) return { ...forgiven, corrections: await this.correctionsOf(query, corrected) };
    }
    return { ...found, corrections: [] };
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
        const { total } = await this.matches.page(alone, 'none', { offset: 0, limit: 1 });
        if (total > 0) read.push(word);
      }
      if (read.some((word) => word !== typed)) corrections.push({ typed, read });
    }
    return corrections;
  }
}
