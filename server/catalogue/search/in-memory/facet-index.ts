import type { BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import { bitSet, hasBit, type BitSet } from './bit-set.js';
import { FacetColumn, type FacetValue } from './facet-column.js';
import type { Narrowing } from './places.js';
import type { Shelf } from './shelf.js';

/** What the facets say of a book. */
export type BookFacets = Record<Facet, readonly FacetValue[]>;

/** The facets of all books, by the places that they have in the index of words. */
export class FacetIndex {
  readonly columns: Record<Facet, FacetColumn> = {
    genre: new FacetColumn(),
    author: new FacetColumn(),
    publisher: new FacetColumn(),
    year: new FacetColumn(),
    language: new FacetColumn(),
  };

  constructor(private readonly shelf: Shelf) {}

  /** @param place later than all that were given */
  add(place: number, facets: BookFacets): void {
    for (const facet of FACETS) for (const value of facets[facet]) this.columns[facet].push(place, value);
  }

  drop(place: number): void {
    for (const facet of FACETS) this.columns[facet].drop(place);
  }

  /**
   * What a filter leaves, as the index is now.
   * @param places how many there are, dead ones included
   */
  narrowing(filter: BookFilter, places: number): Narrowing {
    const wanted = FACETS.flatMap((facet) => {
      const values = valuesOf(filter, facet);
      const column = this.columns[facet];
      return values ? [{ column, values, numbers: column.numbersOf(values) }] : [];
    });
    const taken = filter.available === undefined ? undefined : this.shelf.takenPlaces;
    let made: BitSet | undefined;
    const make = (): BitSet => {
      const bits = bitSet(places).fill(0xff_ff_ff_ff);
      for (const { column, values } of wanted) {
        const marked = column.placesOf(values, places);
        for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] as number) & (marked[at] as number);
      }
      for (let at = 0; taken && at < bits.length; at += 1)
        bits[at] = (bits[at] as number) & ~(taken[at] ?? 0);
      return bits;
    };
    return {
      has: (place) =>
        wanted.every(({ column, numbers }) => column.hasAny(place, numbers)) &&
        !(taken && hasBit(taken, place)),
      bits: () => (made ??= make()),
    };
  }
}

/** The values of a facet that a filter lets through; undefined where it lets all through. */
export function valuesOf(filter: BookFilter, facet: Facet): ReadonlySet<FacetValue> | undefined {
  if (facet !== 'year') return filter[facet] && new Set<FacetValue>(filter[facet]);
  return filter.year && new Set(filter.year.flatMap(yearsOf));
}

const YEARS_OF_A_DECADE = 10;

/** @param written `1994` or `1990s` */
function yearsOf(written: string): number[] {
  const first = Number.parseInt(written, 10);
  if (!written.endsWith('s')) return [first];
  return Array.from({ length: YEARS_OF_A_DECADE }, (_, at) => first + at);
}

/** `1990s` for 1994. */
export function decadeOf(year: number): string {
  return `${year - (year % YEARS_OF_A_DECADE)}s`;
}
