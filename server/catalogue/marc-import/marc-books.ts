import { z } from 'zod';
import { copyCode } from '#contracts/catalogue/copy-code.js';
import { MARC_WINNERS, type MarcWinner } from '#contracts/catalogue/marc-import.js';
import type { Queryable } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { differingFields, type MarcBook } from '../marc/book-fields.js';
import { foldedLetters } from '../marc/marc-fields.js';
import type { KeptRecord } from '../marc/read-marc.js';

const storedRow = z.object({
  id: z.int(),
  version: z.int(),
  created: z.date(),
  isbn: z.string(),
  title: z.string(),
  original_title: z.string().nullable(),
  other_titles: z.array(z.string()),
  description: z.string(),
  publisher: z.string().nullable(),
  series: z.string().nullable(),
  volume: z.string().nullable(),
  language: z.string().nullable(),
  published: z.string().nullable(),
  price: z.int().nullable(),
  authors: z.array(z.object({ firstname: z.string(), lastname: z.string() })),
  genres: z.array(z.string()),
  copies: z.array(z.object({ copy: z.int(), mark: z.string().nullable() })),
  control: z.string().nullable(),
  agency: z.string().nullable(),
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
const COLUMNS = `b.id, b.version, b.created, b.isbn, b.title, b.original_title, b.other_titles, b.description, b.series, b.volume, b.language,
  b.published, b.price, p.name as publisher, r.control, r.agency, r.form, r.bytes,
  coalesce((select json_agg(json_build_object('firstname', a.firstname, 'lastname', a.lastname) order by l.place)
    from book_author l join author a on a.id = l.author_id where l.book_id = b.id), '[]') as authors,
  array(select g.name from book_genre l join genre g on g.id = l.genre_id where l.book_id = b.id order by l.place) as genres,
  coalesce((select json_agg(json_build_object('copy', n, 'mark', c.shelf_mark) order by n)
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
  return rows.map(({ id, version, created, form, bytes, ...row }) => ({
    ...{ id, version, created },
    kept: form && bytes ? { form, bytes } : null,
    book: {
      numbers: [row.isbn],
      title: row.title,
      originalTitle: row.original_title,
      otherTitles: row.other_titles,
      authors: row.authors,
      publisher: row.publisher,
      published: row.published,
      language: row.language,
      series: row.series === null ? null : { name: row.series, volume: row.volume },
      genres: row.genres,
      description: row.description,
      price: row.price,
      copies: row.copies.map(({ copy, mark }) => ({ mark, label: copyCode({ bookId: id, copy }) })),
    },
  }));
}

const SHOWN: { readonly [Name in MarcWinner]: (value: MarcBook[Name]) => string } = {
  title: (title) => title,
  originalTitle: (title) => title ?? '',
  otherTitles: (titles) => titles.join(' | '),
  authors: (authors) => authors.map(({ firstname, lastname }) => `${lastname}, ${firstname}`).join('; '),
  publisher: (name) => name ?? '',
  published: (published) => published ?? '',
  language: (language) => language ?? '',
  series: (series) => (series ? [series.name, series.volume].filter(Boolean).join(' ; ') : ''),
  genres: (genres) => genres.join('; '),
  description: (description) => description,
  price: (price) => (price === null ? '' : (price / 100).toFixed(2)),
};
const shown = <Name extends MarcWinner>(name: Name, book: MarcBook) => SHOWN[name](book[name]);

/** A field of which the record says something that the catalogue does not: what both say, as texts. */
export interface Difference {
  ours: string;
  theirs: string;
}

/** Where a record says otherwise than the catalogue; what it does not say is no difference. */
export function differencesOf(ours: MarcBook, theirs: MarcBook): Partial<Record<MarcWinner, Difference>> {
  const differing = new Set<string>(differingFields(theirs, ours));
  const said = MARC_WINNERS.filter((name) => differing.has(name) && shown(name, theirs) !== '');
  return Object.fromEntries(
    said.map((name) => [name, { ours: shown(name, ours), theirs: shown(name, theirs) }]),
  );
}

/** The catalogue's book with what it lacks, and with what the file wins. */
export function merged(ours: MarcBook, theirs: MarcBook, wins: readonly MarcWinner[]): MarcBook {
  const taken = Object.entries(differencesOf(ours, theirs)).flatMap(([name, difference]) =>
    difference.ours === '' || wins.includes(name as MarcWinner)
      ? [[name, theirs[name as MarcWinner]] as const]
      : [],
  );
  return { ...ours, ...Object.fromEntries(taken) };
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
