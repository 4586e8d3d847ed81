import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { readFacets, type Facets } from '#contracts/catalogue/book-facets.js';
import { FACETS, type Facet } from '#contracts/catalogue/facet-names.js';
import * as m from '#words/messages.js';
import { languageName } from '../../domain/catalogue/book-texts.js';
import type { ChosenFacets } from '../../domain/catalogue/filter-address.js';
import { queryOf } from '../../lib/api/send.js';

/** What the list can be narrowed to, with the books that each value would leave; the last counts stay until the next are there. */
export function useFacets(SearchTerm: string, chosen: ChosenFacets) {
  return useQuery({
    ...queryOf(readFacets, { query: { SearchTerm, ...chosen } }),
    placeholderData: keepPreviousData,
    meta: { inPlace: true },
  });
}

/** In the order in which they are shown. */
export const SHOWN_FACETS: readonly { facet: Facet; heading: string }[] = [
  { facet: 'genre', heading: m.common_genre() },
  { facet: 'author', heading: m.catalog_facet_author() },
  { facet: 'year', heading: m.catalog_facet_year() },
  { facet: 'language', heading: m.common_language() },
  { facet: 'publisher', heading: m.common_publisher() },
];

export interface ShownValue {
  /** As the address has it. */
  value: string | number;
  name: string;
  books: number;
}

/** The values of a facet with their names, those with the most books first; years the newest first. */
export function valuesOf(facets: Facets, facet: Facet): ShownValue[] {
  if (facet === 'year') {
    return facets.year
      .map(({ value, books }) => ({ value, name: yearName(value), books }))
      .sort((one, other) => Number.parseInt(other.value, 10) - Number.parseInt(one.value, 10));
  }
  if (facet === 'language') {
    return facets.language.map(({ value, books }) => ({ value, name: languageName(value), books }));
  }
  return facets[facet].map(({ id, name, books }) => ({ value: id, name: name ?? GONE[facet], books }));
}

/** `1994`, or a decade in words. */
function yearName(value: string): string {
  if (!value.endsWith('s')) return value;
  const decade = Number.parseInt(value, 10);
  return m.catalog_decade({ decade, last: decade + 9 });
}

const GONE = {
  genre: m.catalog_genre_gone(),
  author: m.catalog_author_gone(),
  publisher: m.catalog_publisher_gone(),
};

export interface Chip {
  facet: Facet | 'available';
  /** Undefined for what is available. */
  value: string | number | undefined;
  /** Undefined while nobody knows it. */
  name: string | undefined;
}

/** What is chosen, each by itself. */
export function chipsOf(chosen: ChosenFacets, facets: Facets | undefined): Chip[] {
  const chips: Chip[] = FACETS.flatMap((facet) => {
    const known = facets && valuesOf(facets, facet);
    return chosen[facet].map((value) => ({
      facet,
      value,
      name: nameKnownAlready(facet, value) ?? known?.find((each) => each.value === value)?.name,
    }));
  });
  if (chosen.available) chips.push({ facet: 'available', value: undefined, name: m.catalog_available_now() });
  return chips;
}

function nameKnownAlready(facet: Facet, value: string | number): string | undefined {
  if (facet === 'year') return yearName(String(value));
  return facet === 'language' ? languageName(String(value)) : undefined;
}

/** What is chosen once this value is chosen, or not any more. */
export function toggled(chosen: ChosenFacets, facet: Facet, value: string | number): Partial<ChosenFacets> {
  const present: readonly (string | number)[] = chosen[facet];
  const next = present.includes(value) ? present.filter((each) => each !== value) : [...present, value];
  return { [facet]: next };
}
