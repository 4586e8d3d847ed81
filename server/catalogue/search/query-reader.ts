import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { sameTerm, searchQuery, withPlainIsbns, type SearchQuery } from './search-term.js';

/** As the database cuts them. */
const LONGEST_WORD = 60;

const wordsRow = z.object({ words: z.array(z.string()) });

/**
 * Reads what a person typed as a query. The database folds it, by the function that folds the books, so that
 * both can never differ; what a term means never changes, so it is cached for as long as there is room.
 */
@Injectable()
export class QueryReader {
  private readonly known = new LRUCache<string, { query: SearchQuery | undefined }>({ max: 20_000 });

  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** @returns undefined where nothing was typed that could be found: neither a letter nor a digit */
  async read(typed: string): Promise<SearchQuery | undefined> {
    // PostgreSQL has no text with this character.
    const term = sameTerm(typed.replaceAll('\0', ' '));
    const known = this.known.get(term);
    if (known) return known.query;
    const words = await this.wordsOf(withPlainIsbns(term));
    const query = words.length > 0 ? searchQuery(words) : undefined;
    this.known.set(term, { query });
    return query;
  }

  private async wordsOf(term: string): Promise<string[]> {
    // Of plain letters there is nothing to fold, and the database need not be asked.
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
