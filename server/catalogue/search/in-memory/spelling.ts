import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { MAX_SPELLINGS } from '#contracts/catalogue/book-views.js';
import type { Database } from '#platform/database/database.js';
import { queryRow } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../../catalogue-cache.js';
import { SearchIndex } from './search-index.js';

/** Shorter words resemble too many others. */
const SHORTEST = 3;

const nearRow = z.object({ slips: z.array(z.string()), alike: z.array(z.string()) });
const NONE: NearWords = { slips: [], alike: [] };

/** Words that may have been meant, the likeliest first. */
interface NearWords {
  /** One letter away. */
  slips: readonly string[];
  /** Where there are none: what sounds the same, or has the most trigrams of it. */
  alike: readonly string[];
}

/** Finds what words may have meant. */
@Injectable()
export class Spelling {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly index: SearchIndex,
  ) {}

  /** Words of the catalogue near to a folded word; none to a number. */
  async near(word: string): Promise<NearWords> {
    if (word.length < SHORTEST || !/^\p{L}+$/u.test(word)) return NONE;
    // The index says when there are new words.
    return (await this.index.current())
      ? this.cache.getOrLoad('words', word, () => this.read(word))
      : this.read(word);
  }

  private async read(word: string): Promise<NearWords> {
    return (await queryRow(this.database, nearRow, { text: NEAR, values: [word, MAX_SPELLINGS] })) ?? NONE;
  }
}

/** Sounds of two letters are many words'. */
const NEAR = `
  with slip as materialized (
    select word, similarity(word, $1) as likeness from search_word where near && search_near($1) and word <> $1
    order by likeness desc, word limit $2
  ), sounding as materialized (
    select word, similarity(word, $1) as likeness from search_word
    where not exists (select from slip) and sound = search_sound($1) and char_length(sound) > 2 and word <> $1
    order by likeness desc, word limit 3
  ), alike as (
    select word, similarity(word, $1) as likeness from search_word
    where char_length($1) >= 5 and not exists (select from slip) and not exists (select from sounding)
      and word % $1 and word <> $1
    order by likeness desc, word limit 3
  )
  select array(select word from slip order by likeness desc, word) as slips,
    array(select word from (select * from sounding union all select * from alike) found order by likeness desc, word) as alike`;
