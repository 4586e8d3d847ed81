import type { z } from 'zod';
import { loginBodySchema } from '#contracts/accounts/account-requests.js';
import { signedInUserSchema } from '#contracts/accounts/account-views.js';
import { beginPasskey, loginAnswerSchema } from '#contracts/accounts/second-factor.js';
import { call } from '#contracts/call.js';
import { borrowPageSchema } from '#contracts/borrowing/borrow-views.js';
import { bookParamsSchema, bookSchema, bookSortSchema } from '#contracts/catalogue/book-views.js';
import { paymentConfirmationSchema } from '#contracts/payments/payment.js';
import { problemSchema } from '#contracts/problem.js';
import { authorView, bookView, borrowView } from '../test-support/views.js';
import * as shapes from '../src/lib/shapes.js';
import { describedCall, describedModule, sourceOf } from './schema-source.js';

const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const TIME = '2026-11-05T10:15:00.000Z';

const user = {
  ...{ id: ID, username: 'anna', token: 't', roles: ['Reader', 'Admin'], permissions: ['desk'] },
  expiresAt: TIME,
};
const borrow = borrowView({
  ...{ id: ID, user: { id: ID, fullname: 'Anna' }, rentDate: TIME, collectBy: TIME, dueDate: TIME },
  ...{ fineAmount: 0.5, position: '1' },
});
const book = bookView({
  ...{ id: 1, series: 'Dune', volume: '1', authors: [authorView(1, 'Frank', 'Herbert')] },
  ...{ genres: [{ id: 1, name: 'Science fiction', description: '' }], language: 'en', price: 39.9 },
  ...{ published: '2024-02-29', publicationDate: '2024-02-29', photo: { url: '/cover' } },
});
const problem = { code: 'X', title: '', status: 400, detail: '', errors: { email: ['Bad.'] } };
const secondFactor = { ticket: 't', methods: ['code'], expiresAt: TIME };
const passkey = { ticket: 't', options: { challenge: 'c', rpId: 'x' } };

const CASES: readonly (readonly [string, z.ZodType, unknown])[] = [
  ['the signed-in user', signedInUserSchema, { ...user, mustAddSecondFactor: true }],
  ['a login that wants more', loginAnswerSchema, { secondFactor }],
  ['a login', loginAnswerSchema, user],
  ['what a passkey is asked by', beginPasskey.answer, passkey],
  ['a page of borrows', borrowPageSchema, { items: [borrow], totalCount: 1 }],
  ['a book', bookSchema, book],
  ['a payment', paymentConfirmationSchema, { borrowId: ID, amount: 0.5 }],
  ['a problem', problemSchema, problem],
];

/** Whatever may come in the place of a value. */
const ODD: readonly unknown[] = [
  ...[undefined, null, true, '', 'x', '2023-02-29', '2026-13-01T00:00:00Z', '2026-11-05T10:15:00+01:00'],
  ...[-1, 0, 0.5, 1e20, NaN, [], [1], {}, { id: 1 }],
];

/** The value with each of its parts, in turn, replaced or left out, and with one that nobody knows. */
function* oddOnes(value: unknown): Generator<unknown> {
  yield* ODD;
  if (Array.isArray(value)) {
    for (const [index, each] of value.entries())
      for (const odd of oddOnes(each)) yield value.toSpliced(index, 1, odd);
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 };
    for (const [name, each] of Object.entries(value)) {
      const { [name]: _left, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const odd of oddOnes(each)) yield { ...value, [name]: odd };
    }
  }
}

type Shape = ReturnType<typeof shapes.shape>;

const compiled = (schema: z.ZodType): Shape =>
  // As the build writes it; the source is our own.
  // oxlint-disable-next-line typescript/no-implied-eval
  new Function('s', `return ${sourceOf(schema)}`)(shapes) as Shape;

describe('a value that a later release has more of', () => {
  const page = (more: object) => ({ items: [{ ...borrow, ...more }], totalCount: 1 });
  const read = (more: object) =>
    (compiled(borrowPageSchema).parse(page(more)) as { items: (typeof borrow)[] }).items[0];

  it('is left out of a list, or taken for another one, and the rest is shown', () => {
    const newer = {
      availableActions: ['issue', 'sing', 'pay'],
      books: [{ bookId: 1, title: 'Dune', state: 'in-orbit', issueDate: null, returnDate: null }],
      undo: [{ revision: 3, what: 'song', until: TIME, bookIds: [] }],
      sung: true,
    };
    expect(read(newer)).toMatchObject({
      availableActions: ['issue', 'pay'],
      books: [{ state: 'other' }],
      undo: [{ what: 'other' }],
    });
    expect(() => read({ availableActions: [7] })).toThrow('is not such a text');
    expect(() => read({ books: [{ ...newer.books[0], state: 7 }] })).toThrow('is not one of');
    // The six statuses are all there are.
    expect(() => read({ status: 'Sung' })).toThrow('is not one of');
  });
});

describe('schemas as the build writes them for the site', () => {
  it.each(CASES)('accept and refuse what the schema does: %s', (_name, schema, right) => {
    const shape = compiled(schema);
    expect(shape.parse(right)).toEqual(schema.parse(right));
    let refused = 0;
    for (const odd of oddOnes(right)) {
      const [ours, theirs] = [shape.safeParse(odd), schema.safeParse(odd)];
      if (!theirs.success) refused += 1;
      expect([odd, ours.success, ours.data]).toEqual([odd, theirs.success, theirs.data]);
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('say which part of an answer is not what it should be', () => {
    expect(() => compiled(bookSchema).parse({ ...book, genres: [{ id: 'one', name: '' }] })).toThrow(
      /genres\.0\.id/,
    );
  });

  it('are written for what only describes, and for constants; the rest comes from the contract', () => {
    const source = describedModule(
      { bookSortSchema, loginBodySchema, bookParamsSchema, SIZE: 12, twice: (size: number) => 2 * size },
      '/contract.ts',
      '/shapes.ts',
    );
    expect(source).toContain('export const bookSortSchema = /* @__PURE__ */ s.shape(');
    expect(source).toContain('export const SIZE = 12;');
    expect(source).toContain('export { loginBodySchema, bookParamsSchema, twice } from "/contract.ts";');
    expect(compiled(bookSortSchema).options).toEqual(bookSortSchema.options);
  });

  it('are in a call what it answers; of calls that belong together, of each', () => {
    const [csv, read] = [
      call('GET Shelf/file', { may: ['Everybody'], answer: 'text/csv' }),
      call('POST Shelf/:id', { may: ['desk'], keyed: true, answer: bookSortSchema }),
    ];
    const file = '{"method":"GET","path":"Shelf/file","may":["Everybody"]}';
    expect(describedCall(csv, '/contract.ts', 'csv', '/shapes.ts')).toBe(`export const csv = ${file};`);
    expect(describedCall({ csv, read }, '/contract.ts', 'SHELF', '/shapes.ts').split('\n')).toEqual([
      'import * as s from "/shapes.ts";',
      expect.stringContaining(
        `export const SHELF = { csv: ${file}, read: {"method":"POST","path":"Shelf/:id","may":["desk"],"keyed":true, answer: `,
      ),
    ]);
    const form = call('POST Shelf', { may: ['Everybody'], answer: loginBodySchema });
    expect(describedCall({ csv, form }, '/contract.ts', 'SHELF', '/shapes.ts')).toBe(
      'export { SHELF } from "/contract.ts";',
    );
  });
});
