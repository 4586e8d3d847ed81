import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Database } from '#platform/database/database.js';
import { DATABASE } from '#platform/tokens.js';
import { sameTerm, searchQuery, withPlainIsbns, type SearchQuery } from './search-term.js';

/**
 * Reads what a person typed as a query. The database folds it, by the function that folds the books, so that
 * both can never differ; what a term means never changes, so it is remembered for as long as there is room.
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
    const { rows } = await this.database.query<{ words: string[] }>({
      name: 'search-query-words',
      text: 'select search_query_words($1) as words',
      values: [withPlainIsbns(term)],
    });
    const words = rows[0]?.words ?? [];
    const query = words.length > 0 ? searchQuery(words) : undefined;
    this.known.set(term, { query });
    return query;
  }
}
