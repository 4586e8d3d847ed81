import type { BookFilter } from '#contracts/catalogue/book-facets.js';
import { FACETS, YEAR_PATTERN, type Facet } from '#contracts/catalogue/facet-names.js';
import type { Parameter } from '../../lib/use-address.js';

/** What a list of books is narrowed to, as an address has it: nothing is an empty list. */
export type ChosenFacets = { [Each in Facet]: NonNullable<BookFilter[Each]> } & {
  available: '1' | undefined;
};

/** Several values in one parameter: `genre=4,17`. */
function listed<Value extends string | number>(
  name: string,
  read: (text: string) => Value | null,
): Parameter<Value[]> {
  return {
    name,
    read: (text) => {
      const values = (text ?? '').split(',').map((each) => (each === '' ? null : read(each)));
      return [...new Set(values.filter((value) => value !== null))].slice(0, 20);
    },
    write: (values) => values.join(','),
    step: true,
  };
}

const id = (text: string) => (/^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : null);

/** The facets of the catalogue in its address: `#/catalog?author=7&year=1990s&available=1`. */
export const FILTER_ADDRESS: { readonly [Key in keyof ChosenFacets]: Parameter<ChosenFacets[Key]> } = {
  genre: listed('genre', id),
  author: listed('author', id),
  publisher: listed('publisher', id),
  year: listed('year', (text) => (YEAR_PATTERN.test(text) ? text : null)),
  language: listed('language', (text) => (/^[a-z]{2,3}$/.test(text) ? text : null)),
  available: {
    name: 'available',
    read: (text) => (text === '1' ? '1' : undefined),
    write: (value) => value ?? '',
    step: true,
  },
};

export const NO_FACETS: ChosenFacets = {
  genre: [],
  author: [],
  publisher: [],
  year: [],
  language: [],
  available: undefined,
};

/** How many values are chosen. */
export function chosenCount(chosen: ChosenFacets): number {
  return FACETS.reduce((sum, facet) => sum + chosen[facet].length, chosen.available ? 1 : 0);
}
