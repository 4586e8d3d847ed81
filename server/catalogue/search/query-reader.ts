import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { lruLimit } from '#platform/lru-limit.js';
import { survivingByIsbn } from '../merged-books.js';
import { normalizedTerm, searchQuery, withPlainIsbns, type SearchQuery } from './search-term.js';

/** The database truncates longer words. */
const LONGEST_WORD = 60;

const wordsRow = z.object({ words: z.array(z.string()) });

/**
 * Parses what a person typed. The database normalizes it with the same function as the books, so that both can never
 * differ. The result for a term never changes, so it is cached without expiry.
 */
@Injectable()
export class QueryReader {
  private readonly known = new LRUCache<string, { query: SearchQuery | undefined }>(lruLimit(20_000));

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @returns undefined if the text has neither a letter nor a digit */
  async read(typed: string): Promise<SearchQuery | undefined> {
    // PostgreSQL cannot store this character.
    const term = normalizedTerm(typed.replaceAll('\0', ' '));
    const known = this.known.get(term);
    if (known) return known.query;
    const words = await this.wordsOf(withPlainIsbns(term));
    const query = words.length > 0 ? searchQuery(words) : undefined;
    this.known.set(term, { query });
    return query;
  }

  /** The book that stands now for a merged one of this ISBN. */
  async bookMerged(isbn: string): Promise<number | undefined> {
    return (await survivingByIsbn(this.database, [isbn])).get(isbn);
  }

  private async wordsOf(term: string): Promise<string[]> {
    // ASCII needs no normalization, so the database need not be asked.
    if (/^[\x20-\x7e]*$/.test(term)) {
      const words = term.toLowerCase().split(/[^a-z0-9]+/);
      return words.filter((word) => word !== '').map((word) => word.slice(0, LONGEST_WORD));
    }
    const row = await queryRow(this.database, wordsRow, {
      name: 'search-query-words',
      text: 'select search_query_words($1) as words',
      values: [term],
    });
    return row?.words ?? [];
  }
}
