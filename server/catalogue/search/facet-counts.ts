import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { FACET_VALUES, type BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import { DomainError } from '#contracts/domain-error.js';
import type { Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from '../catalogue-cache.js';
import { BookMatches } from './book-matches.js';
import type { CatalogueIndex } from './in-memory/catalogue-index.js';
import { byBooks, type Counted, type ValueCount } from './in-memory/facet-column.js';
import { decadeOf, valuesOf } from './in-memory/facet-index.js';
import { countAvailable, valueCounts } from './facet-statements.js';
import { narrowedTo, type SearchScope } from './search-scope.js';
import type { WordIndex } from './in-memory/word-index.js';

/** Which values each facet has, and how many of the books are on the shelf. */
export interface FacetCounts extends Record<Facet, readonly ValueCount[]> {
  available: number;
}

const valueRow = z.object({ value: z.union([z.int(), z.string()]), books: z.int() });
const booksRow = z.object({ books: z.int() });

/** How long counts wait for an index that is being loaded, in milliseconds: a call has to be answered in eight seconds. */
const LOADING_WAIT = 6000;

/**
 * How many books each value of the facets would leave. The counts of a facet do not regard what is chosen of it. Memory and the
 * database give the same counts. The database takes long for many books, and many counts at once would hold up everything
 * else: while the index is loaded they wait for it, or are asked for again.
 */
@Injectable()
export class CountFacets {
  private readonly known = new LRUCache<
    string,
    { words: WordIndex; version: number; shelf: number; counts: readonly ValueCount[] }
  >({ max: 2000 });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly cache: CatalogueCache,
    private readonly matches: BookMatches,
  ) {}

  /** @throws DomainError AnswerTookTooLong while the index of a large catalogue is being loaded */
  async of(wanted: SearchScope): Promise<FacetCounts> {
    const filter = wanted.filter ?? {};
    const free = narrowedTo(wanted, { ...filter, available: '1' });
    const index = await this.matches.indexFor(free, LOADING_WAIT);
    if (!index && !free.query?.mayBeIsbn && this.matches.isIndexLoading()) {
      throw new DomainError('AnswerTookTooLong', m.catalogue_loading());
    }
    const counts = FACETS.map(async (facet) => {
      const others = narrowedTo(wanted, { ...filter, [facet]: undefined });
      const counted = countedOf(filter, facet);
      const values = index
        ? this.inMemory(index, others, facet, counted)
        : await this.inDatabase(others, facet, counted);
      return [facet, facet === 'year' ? inDecades(values, filter) : values] as const;
    });
    // All together: one that failed while another was waited for would end the process.
    const [available, ...values] = await Promise.all([
      index ? this.matches.match(index, free).total : this.availableInDatabase(wanted),
      ...counts,
    ]);
    return { ...(Object.fromEntries(values) as Record<Facet, readonly ValueCount[]>), available };
  }

  private inMemory(
    index: CatalogueIndex,
    others: SearchScope,
    facet: Facet,
    counted: Counted,
  ): readonly ValueCount[] {
    const { words, facets } = index;
    const shelf = others.filter?.available === undefined ? 0 : index.shelf.version;
    const key = `${facet}|${[...counted.also].join(',')}|${others.key}`;
    const known = this.known.get(key);
    if (known?.words === words && known.version === words.version && known.shelf === shelf) {
      return known.counts;
    }
    const column = facets.columns[facet];
    const isAll = !others.query && !others.ids && !others.filter;
    const counts = isAll
      ? column.countAll(counted)
      : column.count(this.matches.match(index, others).all, counted);
    this.known.set(key, { words, version: words.version, shelf, counts });
    return counts;
  }

  private inDatabase(others: SearchScope, facet: Facet, counted: Counted): Promise<readonly ValueCount[]> {
    const load = () => queryRows(this.database, valueRow, valueCounts(others, facet, counted));
    if (others.filter?.available !== undefined) return load();
    const key = `${facet}|${[...counted.also].join(',')}|${others.key}`;
    return this.cache.getOrLoad('books', key, load, (counts) => counts.length * 4);
  }

  private async availableInDatabase(wanted: SearchScope): Promise<number> {
    const row = await queryRow(
      this.database,
      booksRow,
      countAvailable(narrowedTo(wanted, { ...wanted.filter, available: undefined })),
    );
    return row?.books ?? 0;
  }
}

/** There are few languages, and years are summed up: all of them are counted. */
function countedOf(filter: BookFilter, facet: Facet): Counted {
  const isWhole = facet === 'year' || facet === 'language';
  return { most: isWhole ? Infinity : FACET_VALUES, also: valuesOf(filter, facet) ?? new Set() };
}

/** Sums up years; one that was chosen by itself is counted by itself too. */
function inDecades(years: readonly ValueCount[], { year: chosen = [] }: BookFilter): ValueCount[] {
  const decades = new Map<string, number>();
  const add = (value: string, books: number) => decades.set(value, (decades.get(value) ?? 0) + books);
  for (const { value, books } of years) {
    add(decadeOf(Number(value)), books);
    for (const written of chosen) if (written === String(value)) add(written, books);
  }
  return [...decades].map(([value, books]) => ({ value, books })).sort(byBooks);
}
