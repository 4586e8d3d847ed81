import { createHash } from 'node:crypto';
import { unquotedFormula } from '#contracts/csv-cells.js';
import { priceSchema } from '#contracts/catalogue/book-save.js';
import { canonicalLanguage } from '#contracts/catalogue/language.js';
import { shelfMarkSchema } from '#contracts/copies/copy-events.js';
import { isPlainText } from '#contracts/plain-text.js';
import { BOOK_KIND_LABELS, BOOK_KINDS } from '#contracts/rules/kinds.js';
import { MAX_VARIANTS } from '#contracts/catalogue/book-views.js';
import type { AuthorName, NewBook } from '../book-writer.js';
import { canonicalIsbn, internalNumber, internalNumberOfDigest, isIsbn10, isbn13Of } from '../isbn.js';
import { authorOf, authorsOf } from './author-name.js';
import type { Columns, Field } from './columns.js';
import { dateOfRow } from './row-date.js';
import { NO_SERIES, readSeries, type SeriesPlace } from './series-text.js';

/** A book, and the defaults that replaced what its row lacked. */
export type RowResult = { book: NewBook; repairs: string[] } | { refused: string };

export interface RowOptions {
  /** Copies of a book whose row does not give a number; without this, it depends on its popularity. */
  copies: number | undefined;
  thisYear: number;
}

/** In the column `formulas_quoted` of a row whose cells have an apostrophe before what would be a formula. */
export const FORMULAS_QUOTED = 'yes';

/** Other catalogues say so where they know no genre or publisher. */
const UNKNOWN = 'Unknown';
const LONGEST = { title: 500, name: 200, description: 20_000, volume: 40 };
const MAX_COPIES = 10_000;
const MAX_AUTHORS = 100;

/** A row that cannot be imported. */
class Refused extends Error {}

/** Makes a book of a row's cells. */
export function bookOfRow(cells: readonly string[], columns: Columns, options: RowOptions): RowResult {
  if (cells.length !== columns.width) {
    return { refused: `it has ${cells.length} cells where the first line has ${columns.width}` };
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) {
    return { refused: 'it has bytes that are no UTF-8: save the file as UTF-8, or name its --encoding' };
  }
  try {
    const written = (field: Field) => cells[columns.places[field] ?? -1] ?? '';
    // Only where the export says so: elsewhere an apostrophe may belong to the title.
    const isQuoted = written('formulasQuoted') === FORMULAS_QUOTED;
    const cell = (field: Field) => (isQuoted ? unquotedFormula(written(field)) : written(field));
    const knowsSeries = columns.places.series !== undefined;
    return makeBook((field) => plain(field, cell(field)), knowsSeries, options);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

/** The trimmed text of a cell, in lines; those that a field has no use for become blanks later. */
function plain(field: Field, cell: string): string {
  if (isPlainText(cell)) return cell.normalize('NFC').trim();
  throw new Refused(`the column "${field}" has characters that cannot be kept, such as control characters`);
}

function makeBook(cell: (field: Field) => string, knowsSeries: boolean, options: RowOptions): RowResult {
  const repairs: string[] = [];
  const { title, place, unread } = knowsSeries
    ? { title: titleOf(cell('title')), place: placeOf(cell, repairs), unread: '' }
    : withoutSeries(titleOf(cell('title')));
  const named = cell('authors') !== '' ? authorsOf(cell('authors')) : authorOf(cell('author'));
  const authors = withOtherNames(named, cell('otherNames'));
  if (authors.length === 0) throw new Refused('it has no author');
  if (authors.length > MAX_AUTHORS) throw new Refused(`it has more than ${MAX_AUTHORS} authors`);
  for (const { firstname, lastname } of authors)
    checkLength('the name of an author', firstname + lastname, LONGEST.name);

  const genres = listOf(cell('genres')).filter((name) => name !== UNKNOWN);
  for (const genre of genres) checkLength('a genre', genre, LONGEST.name);
  const publisher = knownName(oneLine(cell('publisher')));
  checkLength('the publisher', publisher ?? '', LONGEST.name);

  const date = dateOfRow(cell('date') || cell('year'), options.thisYear);
  if ('refused' in date) throw new Refused(date.refused);
  if (date.assumed !== undefined) repairs.push(date.assumed);

  const description = [unread && `Series: ${unread}.`, cell('description')].filter(Boolean).join(' ');
  checkLength('the description', description, LONGEST.description);
  const identity = [
    title,
    ...authors.map(({ firstname, lastname }) => `${firstname} ${lastname}`),
    // As it was when a book without one got the number that it has.
    publisher ?? UNKNOWN,
    date.published ?? '',
  ];
  const isbn = numberOf(cell, identity.join('\n'), repairs);
  const copies = copiesOf(cell, options);
  return {
    book: {
      isbn,
      title,
      ...otherTitlesOf(cell, repairs),
      description,
      authors,
      genres,
      publisher,
      ...place,
      ...languageOf(cell, repairs),
      published: date.published,
      copies,
      ...priceOf(cell, repairs),
      ...kindOf(cell),
      ...ratingsOf(cell),
      ...shelfMarksOf(cell, copies, repairs),
    },
    repairs,
  };
}

function titleOf(cell: string): string {
  const title = oneLine(cell);
  if (!/[\p{L}\p{N}]/u.test(title)) throw new Refused('it has no title');
  checkLength('the title', title, LONGEST.title);
  return title;
}

/** Files of others may have anything in columns of these names: what is no title is left out. */
function otherTitlesOf(
  cell: (field: Field) => string,
  repairs: string[],
): Pick<NewBook, 'originalTitle' | 'otherTitles'> {
  const isTitle = (text: string) => /[\p{L}\p{N}]/u.test(text) && text.length <= LONGEST.title;
  const original = oneLine(withoutSeries(oneLine(cell('originalTitle'))).title);
  const others = variantsOf(cell('otherTitles'));
  const left = [original, ...others].filter((title) => title !== '' && !isTitle(title));
  if (left.length > 0) repairs.push(`"${left[0]?.slice(0, 20)}" is no title, left out`);
  const otherTitles = others.filter(isTitle).slice(0, MAX_VARIANTS);
  return {
    ...(isTitle(original) && { originalTitle: original }),
    ...(otherTitles.length > 0 && { otherTitles }),
  };
}

/** Those of each author in their order, separated as they are. */
function withOtherNames(authors: readonly AuthorName[], cell: string): AuthorName[] {
  const given = cell.split(';').map(variantsOf);
  return authors.map((author, at) => {
    const otherNames = (given[at] ?? [])
      .filter((name) => name.length <= LONGEST.title)
      .slice(0, MAX_VARIANTS);
    return otherNames.length > 0 ? { ...author, otherNames } : author;
  });
}

const variantsOf = (cell: string) =>
  cell
    .split(' | ')
    .map(oneLine)
    .filter((name) => name !== '');

/**
 * The title without its series, such as "(The Hunger Games, #1)" at the end. Further series, and those that can be read
 * in several ways, are `unread`.
 */
function withoutSeries(whole: string): { title: string; place: SeriesPlace; unread: string } {
  const [, title, printed = ''] = /^(.*\S)\s*\(([^()]*#[^()]*)\)$/.exec(whole) ?? [];
  if (title === undefined) return { title: whole, place: NO_SERIES, unread: '' };
  const read = readSeries(printed.trim());
  return read
    ? { title, place: read.place, unread: read.others }
    : { title, place: NO_SERIES, unread: printed };
}

/** Files of others may have columns of these names for something else: what cannot be kept is left out. */
function placeOf(cell: (field: Field) => string, repairs: string[]): SeriesPlace {
  const [series, volume] = [oneLine(cell('series')), oneLine(cell('volume'))];
  if (series.length > LONGEST.name) {
    repairs.push(`the series is longer than ${LONGEST.name} characters, left out`);
    return NO_SERIES;
  }
  if (series === '') {
    if (volume !== '') repairs.push(`the volume "${volume.slice(0, 20)}" is of no series, left out`);
    return NO_SERIES;
  }
  if (volume.length <= LONGEST.volume) return { series, volume: volume || null };
  repairs.push(`the volume is longer than ${LONGEST.volume} characters, left out`);
  return { series, volume: null };
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

function knownName(name: string): string | null {
  return name === '' || name === UNKNOWN ? null : name;
}

function listOf(cell: string): string[] {
  const items = cell.split(cell.includes(';') ? ';' : ',').map(oneLine);
  return [...new Set(items.filter((item) => item !== ''))];
}

function checkLength(what: string, text: string, longest: number): void {
  if (text.length > longest) throw new Refused(`${what} is longer than ${longest} characters`);
}

/**
 * The ISBN-13 of the row, or an internal number for a book without one. The number under which another catalogue had the
 * book is kept as it is: it may be a misprinted ISBN, or a number of that catalogue.
 */
function numberOf(cell: (field: Field) => string, identity: string, repairs: string[]): string {
  const kept = cell('catalogueNumber');
  if (kept !== '') {
    if (/^\d{10,13}$|^\d{9}[\dXx]$/.test(kept)) return canonicalIsbn(kept) ?? kept.toUpperCase();
    throw new Refused(
      `"${kept.slice(0, 20)}" is no catalogue number: 10 to 13 digits, of ten the last may be X`,
    );
  }
  const written = [cell('isbn13'), cell('isbn')].filter((text) => text !== '' && !isRounded(text));
  for (const text of written) {
    const isbn = canonicalIsbn(text) ?? isbnWithoutZeros(text);
    if (isbn !== undefined) return isbn;
  }
  const source = cell('number');
  const own = /^\d{1,9}$/.test(source)
    ? internalNumber(Number(source))
    : internalNumberOfDigest(digest(identity));
  const why = written.length > 0 ? `the ISBN ${written.join(' / ').slice(0, 40)} is not valid` : 'no ISBN';
  repairs.push(`${why}, given the internal number ${own}`);
  return own;
}

/** A spreadsheet turned 9780439023480 into 9.78043902348e+12, and the last digits are lost. */
function isRounded(text: string): boolean {
  return /^\d(?:[.,]\d+)?e\+?\d+$/i.test(text);
}

/** A spreadsheet read an ISBN-10 as a number and dropped its leading zeros; the check digit shows whether it was one. */
function isbnWithoutZeros(text: string): string | undefined {
  if (!/^\d{4,8}[\dXx]$/.test(text)) return undefined;
  const padded = text.padStart(10, '0');
  return isIsbn10(padded) ? isbn13Of(padded) : undefined;
}

function digest(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE();
}

function copiesOf(cell: (field: Field) => string, options: RowOptions): number {
  const written = cell('copies');
  if (written !== '') {
    const copies = /^\d{1,6}(?:\.0+)?$/.test(written) ? Number(written) : NaN;
    if (copies >= 1 && copies <= MAX_COPIES) return copies;
    throw new Refused(`"${written.slice(0, 20)}" is no number of copies: 1 to ${MAX_COPIES}`);
  }
  if (options.copies !== undefined) return options.copies;
  const { ratings = 0 } = ratingsOf(cell);
  return 1 + [30_000, 75_000, 250_000, 1_000_000].filter((popular) => ratings >= popular).length;
}

/** Files of others may have a column of this name for something else: what is no price is left out. */
function priceOf(cell: (field: Field) => string, repairs: string[]): Pick<NewBook, 'price'> {
  const price = priceSchema.safeParse(cell('price'));
  if (!price.success) repairs.push(`the price "${cell('price').slice(0, 20)}" is no amount in PLN, left out`);
  return typeof price.data === 'number' ? { price: price.data } : {};
}

/** Files of others may write languages in many ways: what is no code is left out. */
function languageOf(cell: (field: Field) => string, repairs: string[]): Pick<NewBook, 'language'> {
  const written = cell('language');
  if (written === '') return {};
  const language = canonicalLanguage(written);
  if (language !== undefined) return { language };
  repairs.push(`"${written.slice(0, 20)}" is no code of a language, left out`);
  return {};
}

/** As the export writes it, or as screens do. What is neither is a mistake, and no book becomes loanable by one. */
function kindOf(cell: (field: Field) => string): Pick<NewBook, 'kind'> {
  const written = oneLine(cell('kind'));
  if (written === '') return {};
  const said = written.toLowerCase();
  const kind = BOOK_KINDS.find((each) => each === said || BOOK_KIND_LABELS[each]().toLowerCase() === said);
  if (kind) return kind === BOOK_KINDS[0] ? {} : { kind };
  throw new Refused(
    `"${written.slice(0, 20)}" in the column "book_kind" is none of ${BOOK_KINDS.join(', ')}`,
  );
}

/** Files of others may have anything in a column of this name. */
function ratingsOf(cell: (field: Field) => string): Pick<NewBook, 'ratings'> {
  const written = cell('ratings');
  return /^\d{1,9}(?:\.0+)?$/.test(written) ? { ratings: Number(written) } : {};
}

/** One for all copies, or one for each in their order, separated by semicolons. */
function shelfMarksOf(
  cell: (field: Field) => string,
  copies: number,
  repairs: string[],
): Pick<NewBook, 'shelfMarks'> {
  const written = cell('shelfMarks');
  if (written === '') return {};
  const given = written.split(';').map(oneLine);
  const marks = given.length === 1 ? Array.from({ length: copies }, () => given[0] ?? '') : given;
  const shelfMarks = marks.slice(0, copies).map((text) => {
    const mark = text === '' ? null : (shelfMarkSchema.safeParse(text).data ?? null);
    if (text !== '' && mark === null) repairs.push(`"${text.slice(0, 20)}" is no shelf mark, left out`);
    return mark;
  });
  if (marks.length > copies)
    repairs.push(`${marks.length} shelf marks for ${copies} copies, the last left out`);
  return shelfMarks.some((mark) => mark !== null) ? { shelfMarks } : {};
}
