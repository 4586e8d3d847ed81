import fc from 'fast-check';
import type { CatalogueChange } from '#platform/database/notifications.js';
import type { Database } from '#platform/database/database.js';
import { addNewBooks } from './new-books.js';

/** Something that happens to a catalogue. Books are meant by a number: the first one, counted round and round. */
export type CatalogueStep =
  | { kind: 'save'; which: number; title: string }
  | { kind: 'renumber'; which: number }
  | { kind: 'delete'; which: number }
  | { kind: 'rent'; which: number }
  | { kind: 'read'; which: number; loans: number }
  | { kind: 'copies'; which: number; copies: number }
  | { kind: 'import'; titles: string[] }
  | { kind: 'rename'; table: 'author' | 'genre' | 'publisher'; which: number; name: string };

/** @param words that titles and names are made of */
export function catalogueStep(words: readonly string[]): fc.Arbitrary<CatalogueStep> {
  const which = fc.nat(1000);
  const title = fc
    .array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
    .map((some) => some.join(' '));
  const of = <Kind extends string>(kind: Kind) => fc.constant(kind);
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: of('save'), which, title }) },
    { weight: 1, arbitrary: fc.record({ kind: of('renumber'), which }) },
    { weight: 2, arbitrary: fc.record({ kind: of('delete'), which }) },
    { weight: 2, arbitrary: fc.record({ kind: of('rent'), which }) },
    { weight: 2, arbitrary: fc.record({ kind: of('read'), which, loans: fc.integer({ min: 0, max: 9 }) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: of('copies'), which, copies: fc.integer({ min: 2, max: 5 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: of('import'), titles: fc.array(title, { minLength: 1, maxLength: 4 }) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: of('rename'),
        table: fc.constantFrom('author' as const, 'genre' as const, 'publisher' as const),
        which,
        name: title,
      }),
    },
  );
}

let numbers = 0;

/**
 * Takes the step.
 * @returns what a writer in the process would say of it; nothing where it would say nothing
 */
export async function takeStep(
  database: Database,
  step: CatalogueStep,
): Promise<CatalogueChange | undefined> {
  if (step.kind === 'import') {
    await addNewBooks(
      database,
      step.titles.map((title) => ({ title, genres: [`G ${title}`] })),
    );
    return 'everything';
  }
  const table = step.kind === 'rename' ? step.table : 'book';
  const { rows } = await database.query<{ id: number }>(
    `select id from ${table} order by id offset $1 % greatest((select count(*) from ${table}), 1) limit 1`,
    [step.which],
  );
  const id = rows[0]?.id;
  if (id === undefined) return undefined;
  numbers += 1;
  const book = { books: [id] };
  switch (step.kind) {
    case 'save':
      await database.query('update book set title = $2 where id = $1', [id, step.title]);
      return book;
    case 'renumber':
      await database.query('update book set isbn = $2 where id = $1', [id, `n-${numbers * 7919}`]);
      return book;
    case 'delete':
      await database.query('delete from book where id = $1', [id]);
      return book;
    case 'rent':
      await database.query(
        'update book set copies_available = greatest(copies_available - 1, 0) where id = $1',
        [id],
      );
      return undefined;
    case 'read':
      await database.query(
        `insert into book_reading (book_id, loans) values ($1, $2)
         on conflict (book_id) do update set loans = excluded.loans`,
        [id, step.loans],
      );
      return book;
    case 'copies':
      await database.query('update book set copies_total = $2, copies_available = $2 where id = $1', [
        id,
        step.copies,
      ]);
      return book;
    case 'rename':
      await database.query(
        `update ${table} set ${table === 'author' ? 'lastname' : 'name'} = $2 where id = $1`,
        [id, `${step.name} ${numbers}`],
      );
      return 'everything';
  }
}
