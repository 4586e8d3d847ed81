import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { MARC_WINNERS, type ImportField, type MarcWinner } from '#contracts/catalogue/marc-import.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { differingFields, type MarcBook, type MarcCopy } from '../marc/book-fields.js';
import { foldedLetters } from '../marc/marc-fields.js';
import type { KeptRecord } from '../marc/read-marc.js';

/** What wins as a whole; copies are looked at one by one. */
type BookWinner = Exclude<MarcWinner, 'shelfMarks'>;
const BOOK_WINNERS = MARC_WINNERS.filter((name) => name !== 'shelfMarks');

const storedRow = z.object({
  id: z.int(),
  version: z.int(),
  created: z.date(),
  isbn: z.string(),
  title: z.string(),
  originalTitle: z.string().nullable(),
  otherTitles: z.array(z.string()),
  description: z.string(),
  publisher: z.string().nullable(),
  series: z.string().nullable(),
  volume: z.string().nullable(),
  language: z.string().nullable(),
  published: z.string().nullable(),
  price: z.int().nullable(),
  authors: z.array(z.object({ firstname: z.string(), lastname: z.string() })),
  genres: z.array(z.string()),
  copies: z.array(z.object({ copy: z.int(), mark: z.string().nullable(), label: z.string().nullable() })),
  form: z.enum(['iso2709', 'marcxml']).nullable(),
  bytes: z.instanceof(Buffer).nullable(),
});

/** A book as the catalogue has it, with the record that it came with. */
export interface StoredBook {
  id: number;
  version: number;
  created: Date;
  book: MarcBook;
  kept: KeptRecord | null;
}

/** What `readStoredBooks` reads of `book b`. */
const COLUMNS = `b.id, b.version, b.created, b.isbn, b.title, b.original_title as "originalTitle", b.other_titles as "otherTitles", b.description,
  b.series, b.volume, b.language, b.published, b.price, p.name as publisher, r.form, r.bytes,
  coalesce((select json_agg(json_build_object('firstname', a.firstname, 'lastname', a.lastname) order by l.place)
    from book_author l join author a on a.id = l.author_id where l.book_id = b.id), '[]') as authors,
  array(select g.name from book_genre l join genre g on g.id = l.genre_id where l.book_id = b.id order by l.place) as genres,
  coalesce((select json_agg(json_build_object('copy', n, 'mark', c.shelf_mark, 'label', c.label) order by n)
    from generate_series(1, b.copies_total + (
      select count(*)::integer from copy x where x.book_id = b.id and x.condition <> 'present')) n
    left join copy c on c.book_id = b.id and c.copy = n
    where coalesce(c.condition, 'present') = 'present'), '[]') as copies`;

/**
 * Books with their records, by their numbers.
 * @param where a condition on \`book b\`, with its values
 */
export async function readStoredBooks(
  database: Queryable,
  where: string,
  values: readonly unknown[],
): Promise<StoredBook[]> {
  const rows = await queryRows(
    database,
    storedRow,
    `select ${COLUMNS} from book b left join publisher p on p.id = b.publisher_id left join marc_record r on r.book_id = b.id
     where ${where}`,
    values,
  );
  return rows.map(({ id, version, created, form, bytes, isbn, series, volume, copies, ...book }) => ({
    ...{ id, version, created },
    kept: form && bytes ? { form, bytes } : null,
    book: {
      ...book,
      numbers: [isbn],
      series: series === null ? null : { name: series, volume },
      copies: copies.map(({ copy, mark, label }) => ({
        mark,
        label: label ?? copyCode({ bookId: id, copy }),
      })),
    },
  }));
}

/** What a field says, as a text; empty where it says nothing. */
function shown(name: BookWinner, book: MarcBook): string {
  if (name === 'authors')
    return book.authors.map(({ firstname, lastname }) => `${lastname}, ${firstname}`).join('; ');
  if (name === 'series') return [book.series?.name, book.series?.volume].filter(Boolean).join(' ; ');
  if (name === 'price') return book.price === null ? '' : (book.price / 100).toFixed(2);
  return [book[name] ?? []].flat().join('; ');
}

/** What a record says of a copy: one more, or, with `from`, another shelf mark of one that is known by its label. */
export interface HoldingChange {
  label: string;
  mark: string | null;
  from: MarcCopy | undefined;
}

/** Copies are known by their labels: one without a label says nothing of any. */
export function holdingChanges(
  ours: readonly MarcCopy[],
  theirs: readonly MarcCopy[],
): { given: HoldingChange[]; moved: HoldingChange[] } {
  const known = new Map(ours.map((copy) => [copy.label, copy]));
  const labelled = new Map(theirs.flatMap(({ label, mark }) => (label === null ? [] : [[label, mark]])));
  const changes = [...labelled]
    .map(([label, mark]) => ({ label, mark, from: known.get(label) }))
    .filter(({ mark, from }) => !from || (mark !== null && mark !== from.mark));
  const isMoved = ({ from }: HoldingChange) => (from?.mark ?? null) !== null;
  return { given: changes.filter((each) => !isMoved(each)), moved: changes.filter(isMoved) };
}

const listed = (copies: readonly MarcCopy[]) =>
  copies.map(({ label, mark }) => (mark === null ? label : `${label} (${mark})`)).join('; ');

/** A field of which the record says something that the catalogue does not: what both say, as texts. */
export interface Difference {
  ours: string;
  theirs: string;
}
export type Differences = Partial<Record<ImportField, Difference>>;

/** Where a record says otherwise than the catalogue; what it does not say is no difference. */
export function differencesOf(ours: MarcBook, theirs: MarcBook): Differences {
  const differing = differingFields(theirs, ours);
  const { given, moved } = holdingChanges(ours.copies, theirs.copies);
  const said: (readonly [ImportField, Difference])[] = [
    ...BOOK_WINNERS.filter((name) => differing.includes(name)).map(
      (name) => [name, { ours: shown(name, ours), theirs: shown(name, theirs) }] as const,
    ),
    ['shelfMarks', { ours: listed(moved.flatMap(({ from }) => from ?? [])), theirs: listed(moved) }],
    ['copies', { ours: '', theirs: listed(given) }],
  ];
  return Object.fromEntries(said.filter(([, { theirs: text }]) => text !== ''));
}

/** The catalogue's book with what it lacks, and with what the file wins. */
export function merged(ours: MarcBook, theirs: MarcBook, wins: readonly MarcWinner[]): MarcBook {
  const differences = differencesOf(ours, theirs);
  const taken = BOOK_WINNERS.filter(
    (name) => differences[name]?.ours === '' || (differences[name] && wins.includes(name)),
  );
  return { ...ours, ...Object.fromEntries(taken.map((name) => [name, theirs[name]])) };
}

/** Whether both may be one book: a title or an author in common. A wrong ISBN is another one's. */
export function mayBeSame(ours: MarcBook, theirs: MarcBook): boolean {
  const titles = ({ title, originalTitle, otherTitles }: MarcBook) =>
    [title, originalTitle ?? '', ...otherTitles].map(foldedLetters).filter(Boolean);
  const names = ({ authors }: MarcBook) =>
    authors.map(({ firstname, lastname }) => foldedLetters(lastname + firstname));
  const meets = (one: readonly string[], other: readonly string[]) =>
    one.some((each) => other.includes(each));
  const [title = '', main = ''] = [titles(ours)[0], titles(theirs)[0]];
  // One may have the subtitle, and the other not.
  return (
    title.startsWith(main) ||
    main.startsWith(title) ||
    meets(titles(ours), titles(theirs)) ||
    meets(names(ours), names(theirs))
  );
}
