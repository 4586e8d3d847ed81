import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  FACET_VALUES,
  type BookFilter,
  type Facets,
  type FacetsQuery,
} from '#contracts/catalogue/book-facets.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { DATABASE } from '#platform/tokens.js';
import { CatalogueCache } from './catalogue-cache.js';
import { CatalogueSearch } from './search/catalogue-search.js';
import type { ValueCount } from './search/in-memory/facet-column.js';
import { CountFacets } from './search/facet-counts.js';

const NAMES = {
  author: "select id, btrim(firstname || ' ' || lastname) as name from author where id = any($1::integer[])",
  genre: 'select id, name from genre where id = any($1::integer[])',
  publisher: 'select id, name from publisher where id = any($1::integer[])',
};
type Named = keyof typeof NAMES;

const nameRow = z.object({ id: z.int(), name: z.string() });
const NUMBERS_OF_A_NAME = 10;

@Injectable()
export class BookFacetsQueries {
  constructor(
    private readonly search: CatalogueSearch,
    private readonly counts: CountFacets,
    private readonly cache: CatalogueCache,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  /** `GET Book/facets` */
  async find(query: FacetsQuery): Promise<Facets> {
    const wanted = await this.search.wanted(query.SearchTerm, query);
    const counts = wanted
      ? await this.counts.of(wanted)
      : { genre: [], author: [], publisher: [], year: [], language: [], available: 0 };
    const [genre, author, publisher] = await Promise.all([
      this.named('genre', counts.genre, query),
      this.named('author', counts.author, query),
      this.named('publisher', counts.publisher, query),
    ]);
    return {
      genre,
      author,
      publisher,
      year: foremost(counts.year, query.year),
      language: foremost(counts.language, query.language),
      available: counts.available,
    };
  }

  /** With the names; what is chosen is answered although no book has it, or nobody knows it. */
  private async named(
    kind: Named,
    counts: readonly ValueCount[],
    filter: BookFilter,
  ): Promise<{ id: number; name: string | null; books: number }[]> {
    const counted = counts.map(({ value, books }) => ({ id: Number(value), books }));
    const others = (filter[kind] ?? []).filter((id) => !counted.some((each) => each.id === id));
    const all = [...counted, ...others.map((id) => ({ id, books: 0 }))];
    const names = await this.namesOf(
      kind,
      all.map(({ id }) => id),
    );
    return all.map(({ id, books }) => ({ id, name: names.get(id) ?? null, books }));
  }

  private async namesOf(kind: Named, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map();
    return this.cache.getOrLoad(
      kind,
      `names|${ids.join(',')}`,
      async () => {
        const rows = await queryRows(this.database, nameRow, {
          name: `names-of-${kind}`,
          text: NAMES[kind],
          values: [ids],
        });
        return new Map(rows.map(({ id, name }) => [id, name]));
      },
      (names) => names.size * NUMBERS_OF_A_NAME,
    );
  }
}

/** Those with the most books, and those that are chosen, though no book has them. */
function foremost(
  counts: readonly ValueCount[],
  chosen: readonly string[] = [],
): { value: string; books: number }[] {
  const counted = counts.map(({ value, books }) => ({ value: String(value), books }));
  const isChosen = ({ value }: { value: string }) => chosen.includes(value);
  const first = new Set(counted.filter((each) => !isChosen(each)).slice(0, FACET_VALUES));
  const others = chosen.filter((value) => !counted.some((each) => each.value === value));
  return [
    ...counted.filter((each) => isChosen(each) || first.has(each)),
    ...others.map((value) => ({ value, books: 0 })),
  ];
}
