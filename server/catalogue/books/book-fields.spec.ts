import fc from 'fast-check';
import { z } from 'zod';
import { bookBodySchema } from '#contracts/catalogue/book-save.js';
import { oneLine, plainText } from '#contracts/plain-text.js';
import { forAll } from '../../../test-support/for-all.js';
import { bookOfFields } from './book-fields.js';

/** The fields of a form as the reader of uploads hands them on. */
const form = (entries: Iterable<readonly [string, unknown]>): Record<string, unknown> => {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) fields[name] = value;
  return fields;
};

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2_147_483_647 }), { minLength: 1, maxLength: 20 });
/** Texts that the form takes: what it refuses is told in the specs of its fields. */
const text = (kind: typeof oneLine) => {
  const rule = kind(z.string().trim().min(1));
  return fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
    .filter((it) => !it.includes('\r') && rule.safeParse(it).success);
};
const book = fc.record(
  {
    isbn: fc.stringMatching(/^\d{13}$/),
    title: text(oneLine),
    description: text(plainText),
    publicationDate: fc
      .date({ min: new Date('1000-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10)),
    copiesAvailable: fc.integer({ min: 1, max: 10_000 }),
    publisher: fc.record({ id: fc.integer({ min: 1, max: 2_147_483_647 }) }),
    authors: ids,
    genres: ids,
    version: fc.integer({ min: 1, max: 1_000 }),
    copiesBefore: fc.integer({ min: 0, max: 10_000 }),
    isbnConfirmed: fc.boolean(),
    removeCover: fc.boolean(),
  },
  {
    requiredKeys: [
      'isbn',
      'title',
      'description',
      'publicationDate',
      'copiesAvailable',
      'publisher',
      'authors',
      'genres',
    ],
  },
);

describe('the fields of the book form', () => {
  // spec 7.11
  it('are read back as the book that they were written of, in any order and with gaps', () => {
    forAll(
      [
        book.chain((of) => {
          const { authors, genres, publisher, ...plain } = of;
          const step = 1 + (of.copiesAvailable % 7);
          const entries: [string, string][] = [
            ...Object.entries(plain).map(([name, value]): [string, string] => [
              name,
              // As a browser sends it.
              String(value).replaceAll('\n', '\r\n'),
            ]),
            ['publisher.id', String(publisher.id)],
            ...authors.map((id, at): [string, string] => [`authors[${at * step}].id`, String(id)]),
            ...genres.map((id, at): [string, string] => [`genres[${at}].id`, String(id)]),
          ];
          return fc.record({
            of: fc.constant(of),
            entries: fc.shuffledSubarray(entries, { minLength: entries.length }),
          });
        }),
      ],
      {},
      ({ of, entries }) => {
        const read = bookBodySchema.parse(bookOfFields(form(entries)));
        const refs = (list: number[]) => list.map((id) => ({ id }));
        expect(read).toEqual({
          isbnConfirmed: false,
          removeCover: false,
          ...of,
          title: of.title.trim(),
          description: of.description.trim(),
          authors: refs(of.authors),
          genres: refs(of.genres),
        });
      },
    );
  });

  it('can name nothing but what the form has, and never touch a prototype', () => {
    const hostile = fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      '__proto__.id',
      'authors[__proto__].id',
      'authors[0].__proto__',
      'authors[0].id.id',
      'authors[-1].id',
      'authors[99999999].id',
      'authors[].id',
      'publisher.__proto__',
      'publisher',
      'authors',
      'photo_url',
      'id',
    );
    forAll(
      [fc.array(fc.tuple(fc.oneof(hostile, fc.string()), fc.oneof(fc.string(), fc.array(fc.string()))))],
      {},
      (entries) => {
        const read = bookOfFields(form(entries.filter(([name]) => !/^(title|isbn)$/.test(name))));
        expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
        expect(Object.hasOwn(Object.prototype, 'id')).toBe(false);
        expect({}).not.toHaveProperty('isAdmin');
        for (const name of Object.keys(read)) expect(bookBodySchema.shape).toHaveProperty(name);
      },
    );
    expect(bookOfFields(form([['__proto__', { isAdmin: true }]]))).toEqual({});
    expect(bookOfFields(form([['authors[99999999].id', '1']]))).toEqual({});
  });

  it('are refused by name where one came twice', () => {
    const twice = bookOfFields(
      form([
        ['title', ['One', 'Two']],
        ['authors[1].id', '5'],
        ['authors[01].id', '6'],
      ]),
    );
    const result = bookBodySchema.safeParse(twice);
    const fields = result.error?.issues.map(({ path }) => path.join('.'));
    expect(fields).toEqual(expect.arrayContaining(['title', 'authors.0.id']));
  });
});
