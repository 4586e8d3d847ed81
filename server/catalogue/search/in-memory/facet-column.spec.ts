import fc from 'fast-check';
import { hasBit } from './bit-set.js';
import { FacetColumn, type FacetValue } from './facet-column.js';
import { FewPlaces } from './places.js';
import { forAll } from '../../../../test-support/for-all.js';

const values = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 4, size: 'max' });
const books = fc.array(
  values.map((all) => [...new Set(all)]),
  { maxLength: 120, size: 'max' },
);

function naive(all: readonly (readonly number[])[], most: number, also: ReadonlySet<FacetValue>) {
  const counts = new Map<number, number>();
  for (const value of all.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts]
    .map(([value, books]) => ({ value, books }))
    .sort((one, other) => other.books - one.books || one.value - other.value);
  const first = new Set(sorted.filter(({ value }) => !also.has(value)).slice(0, most));
  return sorted.filter((each) => also.has(each.value) || first.has(each));
}

describe('a column of a facet', () => {
  it('counts, finds and leaves out as a look at every book does', () => {
    forAll(
      [
        books,
        fc.uniqueArray(fc.nat(119)),
        fc.uniqueArray(fc.nat(70), { maxLength: 3 }),
        fc.constantFrom(0, 1, 5, 20, Infinity),
      ],
      {},
      (all, some, chosen, most) => {
        const column = new FacetColumn();
        for (const [place, own] of all.entries()) for (const value of own) column.push(place, value);
        const counted = { most, also: new Set<FacetValue>(chosen) };
        const places = some.filter((place) => place < all.length).sort((one, other) => one - other);
        const of = places.map((place) => all[place] ?? []);
        expect(column.count(new FewPlaces(places), counted)).toEqual(naive(of, most, counted.also));
        expect(column.countAll(counted)).toEqual(naive(all, most, counted.also));

        const numbers = column.numbersOf(chosen);
        const having = all.flatMap((own, place) =>
          own.some((value) => chosen.includes(value)) ? [place] : [],
        );
        expect(all.flatMap((_, place) => (column.hasAny(place, numbers) ? [place] : []))).toEqual(having);
        const wanted = new Set<FacetValue>(chosen);
        const found = () =>
          all.flatMap((_, place) => (hasBit(column.placesOf(wanted, all.length), place) ? [place] : []));
        expect(found()).toEqual(having);
        // A set that is kept has the books that are added later, whose values nobody had before among them.
        const grown = new FacetColumn();
        for (const [place, own] of all.entries()) {
          if (place % 40 === 7) grown.placesOf(wanted, place);
          for (const value of own) grown.push(place, value);
        }
        expect([...all.keys()].filter((place) => hasBit(grown.placesOf(wanted, all.length), place))).toEqual(
          having,
        );

        for (const place of places) column.drop(place);
        const left = all.filter((_, place) => !places.includes(place));
        expect(column.countAll(counted)).toEqual(naive(left, most, counted.also));
      },
    );
  });
});
