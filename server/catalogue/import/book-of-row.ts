import * as m from '#words/messages.js';
import { createHash } from 'node:crypto';
import { unquotedFormula } from '#contracts/csv-cells.js';
import { priceSchema } from '#contracts/catalogue/book-save.js';
import { canonicalLanguage } from '#contracts/catalogue/language.js';
import { shelfMarkSchema } from '#contracts/copies/copy-events.js';
import { isPlainText } from '#contracts/plain-text.js';
import { BOOK_KIND_LABELS, BOOK_KINDS } from '#contracts/rules/kinds.js';
import { MAX_VARIANTS } from '#contracts/catalogue/book-views.js';
import { moneyUnit } from '#contracts/money.js';
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
    return { refused: m.import_cells({ cells: cells.length, width: columns.width }) };
  }
  if (cells.some((cell) => cell.includes('\uFFFD'))) {
    return { refused: m.import_not_utf8() };
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
  throw new Refused(m.import_characters({ field }));
}

function makeBook(cell: (field: Field) => string, knowsSeries: boolean, options: RowOptions): RowResult {
  const repairs: string[] = [];
  const { title, place, unread } = knowsSeries
    ? { title: titleOf(cell('title')), place: placeOf(cell, repairs), unread: '' }
    : withoutSeries(titleOf(cell('title')));
  const named = cell('authors') !== '' ? authorsOf(cell('authors')) : authorOf(cell('author'));
  const authors = withOtherNames(named, cell('otherNames'));
  if (authors.length === 0) throw new Refused(m.import_no_author());
  if (authors.length > MAX_AUTHORS) throw new Refused(m.import_too_many_authors({ most: MAX_AUTHORS }));
  for (const { firstname, lastname } of authors)
    checkLength(m.import_author_too_long, firstname + lastname, LONGEST.name);

  const genres = listOf(cell('genres')).filter((name) => name !== UNKNOWN);
  for (const genre of genres) checkLength(m.import_genre_too_long, genre, LONGEST.name);
  const publisher = knownName(oneLine(cell('publisher')));
  checkLength(m.import_publisher_too_long, publisher ?? '', LONGEST.name);

  const date = dateOfRow(cell('date') || cell('year'), options.thisYear);
  if ('refused' in date) throw new Refused(date.refused);
  if (date.assumed !== undefined) repairs.push(date.assumed);

  const description = [unread && `Series: ${unread}.`, cell('description')].filter(Boolean).join(' ');
  checkLength(m.import_description_too_long, description, LONGEST.description);
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
  if (!/[\p{L}\p{N}]/u.test(title)) throw new Refused(m.import_no_title());
  checkLength(m.import_title_too_long, title, LONGEST.title);
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
  if (left.length > 0) repairs.push(m.import_not_title({ text: left[0]?.slice(0, 20) ?? '' }));
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
    repairs.push(m.import_series_too_long({ longest: LONGEST.name }));
    return NO_SERIES;
  }
  if (series === '') {
    if (volume !== '') repairs.push(m.import_volume_without_series({ volume: volume.slice(0, 20) }));
    return NO_SERIES;
  }
  if (volume.length <= LONGEST.volume) return { series, volume: volume || null };
  repairs.push(m.import_volume_too_long({ longest: LONGEST.volume }));
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

function checkLength(tooLong: (inputs: { longest: number }) => string, text: string, longest: number): void {
  if (text.length > longest) throw new Refused(tooLong({ longest }));
}

/**
 * The ISBN-13 of the row, or an internal number for a book without one. The number under which another catalogue had the
 * book is kept as it is: it may be a misprinted ISBN, or a number of that catalogue.
 */
function numberOf(cell: (field: Field) => string, identity: string, repairs: string[]): string {
  const kept = cell('catalogueNumber');
  if (kept !== '') {
    if (/^\d{10,13}$|^\d{9}[\dXx]$/.test(kept)) return canonicalIsbn(kept) ?? kept.toUpperCase();
    throw new Refused(m.import_catalogue_number({ text: kept.slice(0, 20) }));
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
  repairs.push(
    written.length > 0
      ? m.import_isbn_wrong({ isbn: written.join(' / ').slice(0, 40), number: own })
      : m.import_no_isbn({ number: own }),
  );
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
    throw new Refused(m.import_copies({ text: written.slice(0, 20), most: MAX_COPIES }));
  }
  if (options.copies !== undefined) return options.copies;
  const { ratings = 0 } = ratingsOf(cell);
  return 1 + [30_000, 75_000, 250_000, 1_000_000].filter((popular) => ratings >= popular).length;
}

/** Files of others may have a column of this name for something else: what is no price is left out. */
function priceOf(cell: (field: Field) => string, repairs: string[]): Pick<NewBook, 'price'> {
  const price = priceSchema.safeParse(cell('price'));
  if (!price.success)
    repairs.push(m.import_price({ text: cell('price').slice(0, 20), currency: moneyUnit() }));
  return typeof price.data === 'number' ? { price: price.data } : {};
}

/** Files of others may write languages in many ways: what is no code is left out. */
function languageOf(cell: (field: Field) => string, repairs: string[]): Pick<NewBook, 'language'> {
  const written = cell('language');
  if (written === '') return {};
  const language = canonicalLanguage(written);
  if (language !== undefined) return { language };
  repairs.push(m.import_language({ text: written.slice(0, 20) }));
  return {};
}

/** As the export writes it, or as screens do. What is neither is a mistake, and no book becomes loanable by one. */
function kindOf(cell: (field: Field) => string): Pick<NewBook, 'kind'> {
  const written = oneLine(cell('kind'));
  if (written === '') return {};
  const said = written.toLowerCase();
  const kind = BOOK_KINDS.find((each) => each === said || BOOK_KIND_LABELS[each]().toLowerCase() === said);
  if (kind) return kind === BOOK_KINDS[0] ? {} : { kind };
  throw new Refused(m.import_kind({ text: written.slice(0, 20), kinds: BOOK_KINDS.join(', ') }));
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
    if (text !== '' && mark === null) repairs.push(m.import_shelf_mark({ text: text.slice(0, 20) }));
    return mark;
  });
  if (marks.length > copies) repairs.push(m.import_shelf_marks_beyond({ marks: marks.length, copies }));
  return shelfMarks.some((mark) => mark !== null) ? { shelfMarks } : {};
}
