import * as m from '#words/messages.js';
import { z } from 'zod';
import { csvLine, isFormula, quotedFormula } from '#contracts/csv-cells.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import { plainAmount } from '#contracts/money.js';
import type { Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { NO_FIRSTNAME, splitAuthorName } from '../import/author-name.js';
import { bookOfRow, FORMULAS_QUOTED } from '../import/book-of-row.js';
import { recogniseColumns, type Columns } from '../import/columns.js';
import { readCsv, type CsvRecord } from '../../imports/csv-records.js';
import type { AuthorName, NewBook } from '../book-writer.js';
import { pagesOfBooks, selected, selectionValues, type Selection } from './selection.js';
import { canonicalIsbn } from '../isbn.js';

/** Books read at once. */
const BATCH = 1000;

/** As the import knows them. Authors stand last name first, so that nobody has to guess where it begins. */
const HEADER = [
  'isbn',
  'catalogue_number',
  'title',
  'original_title',
  'other_titles',
  'author',
  'other_names',
  'genres',
  'publisher',
  'series',
  'volume',
  'language',
  'publication_date',
  'copies',
  'price',
  'book_kind',
  'ratings_count',
  'shelf_marks',
  'description',
] as const;
const MARKED_HEADER = [...HEADER, 'formulas_quoted'];
const COLUMNS = { plain: recogniseColumns(HEADER), quoted: recogniseColumns(MARKED_HEADER) };

const storedBook = z.object({
  id: z.int(),
  isbn: z.string(),
  title: z.string(),
  originalTitle: z
    .string()
    .nullable()
    .transform((title) => title ?? undefined),
  otherTitles: z.array(z.string()).transform((titles) => (titles.length > 0 ? titles : undefined)),
  description: z.string(),
  publisher: z.string().nullable(),
  series: z.string().nullable(),
  volume: z.string().nullable(),
  language: z
    .string()
    .nullable()
    .transform((language) => language ?? undefined),
  published: z.string().nullable(),
  copies: z.int(),
  price: z
    .int()
    .nullable()
    .transform((price) => price ?? undefined),
  kind: z.enum(BOOK_KINDS).transform((kind) => (kind === BOOK_KINDS[0] ? undefined : kind)),
  ratings: z
    .int()
    .nullable()
    .transform((ratings) => ratings ?? undefined),
  /** Of the copies that can be lent, '' for one without; none at all where no copy has any. */
  marks: z.array(z.string()),
  authors: z
    .array(z.object({ firstname: z.string(), lastname: z.string(), otherNames: z.array(z.string()) }))
    .transform((authors) =>
      authors.map(({ otherNames, ...name }) => (otherNames.length > 0 ? { ...name, otherNames } : name)),
    ),
  genres: z.array(z.string()),
});

export interface ExportOptions extends Selection {
  /**
   * `quoted`, unless told otherwise: an apostrophe goes before what a spreadsheet would take for a formula, and a
   * column tells of it, by which the import takes it away. `plain` leaves the cells as they are, for programs.
   */
  formulas?: 'quoted' | 'plain';
  /** Told of every book that an import of the file would refuse, or read otherwise than it is. */
  onInexact?: (isbn: string, reason: string) => void;
  /** Told how many books are written. */
  onProgress?: (books: number) => void;
}

/**
 * The catalogue as the text of a CSV file that the import reads back, as of one moment, in memory that does not
 * depend on its size. Covers are not in it.
 */
export async function* exportBooks(database: Database, options: ExportOptions = {}): AsyncGenerator<string> {
  const { formulas = 'quoted' } = options;
  const thisYear = new Date().getUTCFullYear();
  yield csvLine(formulas === 'quoted' ? MARKED_HEADER : HEADER);
  let written = 0;
  const pages = pagesOfBooks(database, (connection, last) =>
    queryRows(connection, storedBook, PAGE, [last, BATCH, ...selectionValues(options)]),
  );
  for await (const rows of pages) {
    const lines = rows.map((stored) => {
      const book = { ...stored, ...shelfMarks(stored.marks) };
      return { book, text: csvLine(formulas === 'quoted' ? marked(cellsOf(book)) : cellsOf(book)) };
    });
    yield lines.map(({ text }) => text).join('');
    for (const { book, text } of lines) {
      const reason = await inexactness(book, text, COLUMNS[formulas], thisYear);
      if (reason !== undefined) options.onInexact?.(book.isbn, reason);
    }
    options.onProgress?.((written += rows.length));
  }
}

const PAGE = `
  select b.id, b.isbn, b.title, b.original_title as "originalTitle", b.other_titles as "otherTitles",
    b.description, p.name as publisher, b.series, b.volume, b.language,
    b.published, b.copies_total as copies, b.price, b.kind, r.ratings,
    case when exists (select from copy c where c.book_id = b.id and c.shelf_mark is not null) then array(
      select coalesce(c.shelf_mark, '')
      from generate_series(1, b.copies_total + (
        select count(*)::integer from copy x where x.book_id = b.id and x.condition <> 'present')) n
      left join copy c on c.book_id = b.id and c.copy = n
      where coalesce(c.condition, 'present') = 'present' order by n) else '{}' end as marks,
    coalesce((
      select json_agg(json_build_object('firstname', a.firstname, 'lastname', a.lastname, 'otherNames', a.other_names)
        order by l.place)
      from book_author l join author a on a.id = l.author_id where l.book_id = b.id), '[]') as authors,
    array(select g.name from book_genre l join genre g on g.id = l.genre_id
      where l.book_id = b.id order by l.place) as genres
  from book b left join publisher p on p.id = b.publisher_id left join book_reading r on r.book_id = b.id
  where b.id > $1 and ${selected(3)} order by b.id limit $2`;

function shelfMarks(marks: readonly string[]): Pick<NewBook, 'shelfMarks'> {
  return marks.some((mark) => mark !== '') ? { shelfMarks: marks.map((mark) => mark || null) } : {};
}

/** One where all copies have the same, else one for each. */
function markCell(marks: readonly (string | null)[]): string {
  const [first] = marks;
  return marks.every((mark) => mark === first) ? (first ?? '') : marks.map((mark) => mark ?? '').join('; ');
}

function cellsOf(book: NewBook): string[] {
  const isIsbn = canonicalIsbn(book.isbn) === book.isbn;
  return [
    isIsbn ? book.isbn : '',
    isIsbn ? '' : book.isbn,
    book.title,
    book.originalTitle ?? '',
    (book.otherTitles ?? []).join(' | '),
    book.authors.map(printedName).join('; '),
    book.authors.some(({ otherNames }) => otherNames)
      ? book.authors.map(({ otherNames = [] }) => otherNames.join(' | ')).join('; ')
      : '',
    // With a semicolon in any case: a name may have a comma, which would else separate.
    book.genres.length === 1 ? `${book.genres[0]};` : book.genres.join('; '),
    book.publisher ?? '',
    book.series ?? '',
    book.volume ?? '',
    book.language ?? '',
    book.published ?? '',
    String(book.copies),
    typeof book.price === 'number' ? plainAmount(book.price) : '',
    book.kind ?? '',
    book.ratings === undefined ? '' : String(book.ratings),
    markCell(book.shelfMarks ?? []),
    book.description,
  ];
}

function marked(cells: readonly string[]): string[] {
  return [...cells.map(quotedFormula), cells.some(isFormula) ? FORMULAS_QUOTED : ''];
}

/** The way of printing a name that the import takes apart again at the same place, if there is one. */
function printedName(author: AuthorName): string {
  const { firstname, lastname } = author;
  const lastFirst = `${lastname}, ${firstname}`;
  const ways = [...(firstname === NO_FIRSTNAME ? [lastname] : []), lastFirst, `${firstname} ${lastname}`];
  const isExact = (way: string) => {
    const read = splitAuthorName(way);
    return read.firstname === firstname && read.lastname === lastname;
  };
  return ways.find(isExact) ?? lastFirst;
}

/** Why the import would not make this very book of the line, if it would not. */
async function inexactness(
  book: NewBook,
  text: string,
  columns: Columns,
  thisYear: number,
): Promise<string | undefined> {
  const records: CsvRecord[] = [];
  for await (const record of readCsv(alone(text), ',')) records.push(record);
  const [record] = records;
  if (!record || 'refused' in record || records.length > 1) {
    return record && 'refused' in record
      ? m.import_would_refuse({ reason: record.refused })
      : m.import_would_refuse_rows();
  }
  const result = bookOfRow(record.cells, columns, { copies: undefined, thisYear });
  if ('refused' in result) return m.import_would_refuse({ reason: result.refused });
  const differs = FIELDS.filter(
    ([, valueOf]) => JSON.stringify(valueOf(result.book)) !== JSON.stringify(valueOf(book)),
  ).map(([name]) => name());
  if (differs.length === 0) return undefined;
  return m.import_would_differ({ fields: differs.reduce((one, other) => m.import_both({ one, other })) });
}

async function* alone(text: string): AsyncGenerator<string> {
  yield text;
}

const FIELDS: [() => string, (book: NewBook) => unknown][] = [
  [m.import_field_number, ({ isbn }) => isbn],
  [m.import_field_title, ({ title }) => title],
  [m.import_field_description, ({ description }) => description],
  [m.import_field_other_title, ({ originalTitle, otherTitles }) => [originalTitle, otherTitles]],
  [m.import_field_author, ({ authors }) => authors.map(({ firstname, lastname }) => [firstname, lastname])],
  [m.import_field_other_name, ({ authors }) => authors.map(({ otherNames }) => otherNames)],
  [m.import_field_genre, ({ genres }) => genres],
  [m.import_field_publisher, ({ publisher }) => publisher],
  [m.import_field_series, ({ series, volume }) => [series, volume]],
  [m.import_field_language, ({ language }) => language],
  [m.import_field_date, ({ published }) => published],
  [m.import_field_copies, ({ copies }) => copies],
  [m.import_field_price, ({ price }) => price],
  [m.import_field_kind, ({ kind }) => kind],
  [m.import_field_ratings, ({ ratings }) => ratings],
  [m.import_field_shelf_mark, ({ shelfMarks: marks }) => marks],
];
