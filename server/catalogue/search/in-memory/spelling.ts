import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MAX_SPELLINGS } from '#contracts/catalogue/book-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../../catalogue-cache.js';
import { SearchIndex } from './search-index.js';
import { searchQueryOfSpellings, type SearchQuery } from '../search-term.js';

/** Shorter words resemble too many others. */
const SHORTEST = 3;

const spellingRow = z.object({ known: z.boolean(), near: z.array(z.string()) });

/** Corrects typing errors: finds what unknown words may have meant. */
@Injectable()
export class Spelling {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  /**
   * Queries that may have been meant where a query finds nothing, the likelier first: with the unknown words
   * corrected, then with every word as itself or one near to it.
   */
  async corrections(query: SearchQuery): Promise<SearchQuery[]> {
    // The index says when there are new words.
    return (await this.index.current())
      ? this.cache.getOrLoad('words', query.text, () => this.find(query))
      : this.find(query);
  }

  private async find(query: SearchQuery): Promise<SearchQuery[]> {
    const words = await Promise.all(
      query.words.map((word, at) => this.read(word, at === query.words.length - 1)),
    );
    if (words.some(({ known, near }) => !known && near.length === 0)) return [];
    const queries: SearchQuery[] = [];
    if (words.some(({ known }) => !known)) {
      queries.push(searchQueryOfSpellings(words.map(({ word, known, near }) => (known ? [word] : near))));
    }
    if (words.some(({ known, near }) => known && near.length > 0)) {
      queries.push(
        searchQueryOfSpellings(words.map(({ word, known, near }) => (known ? [word, ...near] : near))),
      );
    }
    return queries;
  }

  private async read(
    word: string,
    isPrefix: boolean,
  ): Promise<{ word: string; known: boolean; near: string[] }> {
    if (word.length < SHORTEST || /^\d+$/.test(word)) return { word, known: true, near: [] };
    const row = await queryRow(this.database, spellingRow, {
      text: NEAR_LABELS,
      values: [word, isPrefix ? `${word}%` : word, MAX_SPELLINGS],
    });
    return { word, known: row?.known ?? false, near: row?.near ?? [] };
  }
}

/** Words at an edit distance of one; if there are none, those that share the most trigrams. */
const NEAR_LABELS = `
  with one_slip as materialized (
    select word, similarity(word, $1) as likeness from search_word where near && search_near($1) and word <> $1
    order by likeness desc, word limit $3
  ), alike as (
    select word, similarity(word, $1) as likeness from search_word
    where char_length($1) >= 5 and not exists (select from one_slip) and word % $1 and word <> $1
    order by likeness desc, word limit 3
  )
  select exists (select from search_word where word like $2) as known,
    array(select word from (select * from one_slip union all select * from alike) found order by likeness desc, word) as near`;
