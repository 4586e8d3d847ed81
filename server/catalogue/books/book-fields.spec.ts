import fc from 'fast-check';
import { bookBodySchema } from '#contracts/catalogue/book-save.js';
import { forAll } from '../../../test-support/arbitraries/for-all.js';
import { bookOfFields } from './book-fields.js';

/** The fields of a form as the reader of uploads hands them on. */
const form = (entries: Iterable<readonly [string, unknown]>): Record<string, unknown> => {
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of entries) fields[name] = value;
  return fields;
};

describe('the fields of the book form', () => {
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
