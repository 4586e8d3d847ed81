import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { currency } from '#contracts/currency.js';
import { canonicalLanguage } from '#contracts/catalogue/language.js';
import { isPublished } from '#contracts/catalogue/published.js';
import { shelfMarkSchema } from '#contracts/copies/copy-events.js';
import { MAX_GENRES, MAX_VARIANTS } from '#contracts/catalogue/book-views.js';
import type { AuthorName } from '../book-writer.js';
import { canonicalIsbn } from '../isbn.js';
import { marcLanguage } from './marc-language.js';
import { authorKey, authorsOf, withAuthors } from './marc-authors.js';
import {
  anew,
  dataField,
  fits,
  foldedLetters,
  isName,
  oneLine,
  withCodes,
  withFields,
  withFullStop,
  withoutCardPunctuation,
  withoutFullStop,
} from './marc-fields.js';
import { dataFields, subfieldsOf, type DataField, type MarcField, type MarcRecord } from './record.js';

export interface MarcCopy {
  mark: string | null;
  /** What its label says elsewhere. */
  label: string | null;
}

/** What the catalogue shows of a record. */
export interface MarcBook {
  /** The ISBNs of the record, the book's own first; without one a number that is none. */
  numbers: readonly string[];
  title: string;
  originalTitle: string | null;
  otherTitles: readonly string[];
  authors: readonly AuthorName[];
  publisher: string | null;
  published: string | null;
  language: string | null;
  series: { name: string; volume: string | null } | null;
  genres: readonly string[];
  description: string;
  /** In grosze: hundredths of the library’s currency. */
  price: number | null;
  copies: readonly MarcCopy[];
}
export type BookField = keyof MarcBook;

/** How one field of the book stands in a record, in both directions. */
interface Rule<Value> {
  read: (record: MarcRecord) => Value;
  /** The record with this value in the place of its own; what else it says stays. */
  write: (record: MarcRecord, value: Value) => MarcRecord;
  /** Whether both mean the same, so that the record stays as it is. */
  same?: (one: Value, other: Value) => boolean;
}

const LONGEST = { title: 500, description: 20_000, volume: 40 };
const EAN = /^\d{10,13}$|^\d{9}[\dX]$/;

const distinct = (texts: readonly string[]) => [...new Set(texts)];
const tagged =
  (...tags: string[]) =>
  ({ tag }: MarcField) =>
    tags.includes(tag);

function numbersOf(record: MarcRecord): string[] {
  const isbns = dataFields(record, '020').flatMap((field) =>
    subfieldsOf(field, 'a').flatMap((text) => canonicalIsbn(/^[\dXx-]+/.exec(text)?.[0] ?? '') ?? []),
  );
  const others = dataFields(record, '024').flatMap((field) =>
    field.indicators.startsWith('3') ? subfieldsOf(field, 'a').filter((text) => EAN.test(text)) : [],
  );
  return distinct(isbns.length > 0 ? isbns : others.slice(0, 1));
}

function titleOf(record: MarcRecord): string {
  const [field] = dataFields(record, '245');
  let title = '';
  let last = '';
  for (const [code, value] of field?.subfields ?? []) {
    if (!'abnp'.includes(code) || value.trim() === '') continue;
    const [, sign = code === 'b' ? ':' : '.'] = /\s([:;=])$/.exec(last.trim()) ?? [];
    const between = sign === ':' ? ': ' : sign === '.' ? '. ' : ` ${sign} `;
    title += (title && between) + withoutCardPunctuation(value);
    last = value;
  }
  return oneLine(title);
}

/** Each once, and none that is the title. */
function otherTitlesOf(record: MarcRecord): string[] {
  const titles = new Map<string, string>();
  for (const field of dataFields(record, '246')) {
    const title = oneLine(subfieldsOf(field, 'ab').map(withoutCardPunctuation).join(': '));
    if (fits(LONGEST.title)(title) && !titles.has(foldedLetters(title)))
      titles.set(foldedLetters(title), title);
  }
  titles.delete(foldedLetters(titleOf(record)));
  return [...titles.values()].slice(0, MAX_VARIANTS);
}

/** "Title :" and "subtitle /", as cards have it. */
function withTitle(record: MarcRecord, title: string): MarcRecord {
  const [present] = dataFields(record, '245');
  const [, name = title, rest] = /^(.+?): (.+)$/.exec(title) ?? [];
  const others = (present?.subfields ?? []).filter(([code]) => !'abnp'.includes(code));
  const parts = Object.entries(rest === undefined ? { a: `${title} /` } : { a: `${name} :`, b: `${rest} /` });
  const hasAuthor = dataFields(record, '100', '110', '111').length > 0;
  const indicators = present?.indicators ?? `${hasAuthor ? '1' : '0'}0`;
  return withFields(record, (field) => field === present, [
    { tag: '245', indicators, subfields: [...parts, ...others] },
  ]);
}

/** Of those who published it, or else of whatever is said of its making. */
function imprint(record: MarcRecord): DataField | undefined {
  const all = dataFields(record, '264', '260');
  return all.find(({ tag, indicators }) => tag === '264' && indicators[1] === '1') ?? all[0];
}

function withImprint(record: MarcRecord, code: 'b' | 'c', value: string): MarcRecord {
  const present = imprint(record);
  if (!present) return withFields(record, () => false, [dataField('264', ' 1', [code, value])]);
  const before = present.subfields.filter(([each]) => each !== code && each < code);
  const after = present.subfields.filter(([each]) => each !== code && each > code);
  const subfields = [...before, [code, value] as const, ...after];
  return withFields(record, (field) => field === present, [{ ...anew(present), subfields }]);
}

function publisherOf(record: MarcRecord): string | null {
  const [written = ''] = subfieldsOf(imprint(record) ?? dataField('264', ' 1'), 'b');
  const name = oneLine(withoutCardPunctuation(written)).replace(/^\[(.+)\]$/, '$1');
  return isName(name) && !/^s\.? ?n\.?$/i.test(name) ? name : null;
}

function publishedOf(record: MarcRecord): string | null {
  const [written = ''] = subfieldsOf(imprint(record) ?? dataField('264', ' 1'), 'c');
  const said = written.trim();
  const coded = codesOf(record, 7, 11);
  const year = /^[1-9]\d{3}$/.test(coded) ? coded : /(?<!\d)[1-9]\d{3}(?!\d)/.exec(said)?.[0];
  const exact = isPublished(said) ? said : year;
  const isToCome = exact !== undefined && Number(exact.slice(0, 4)) > new Date().getUTCFullYear() + 1;
  return exact === undefined || isToCome || !isPublished(exact) ? null : exact;
}

/** Of the codes in 008. */
const codesOf = (record: MarcRecord, from: number, until: number) => {
  const found = record.fields.find(({ tag }) => tag === '008');
  return found && 'value' in found ? found.value.slice(from, until) : '';
};

function languageOf(record: MarcRecord): string | null {
  const [also = ''] = dataFields(record, '041').flatMap((field) => subfieldsOf(field, 'a'));
  return canonicalLanguage(codesOf(record, 35, 38)) ?? canonicalLanguage(also.slice(0, 3)) ?? null;
}

function descriptionOf(record: MarcRecord): string {
  return dataFields(record, '520')
    .flatMap((field) => subfieldsOf(field, 'a'))
    .map((text) => text.split('\n').map(oneLine).join('\n'))
    .join('\n\n')
    .slice(0, LONGEST.description)
    .trim();
}

function seriesOf(record: MarcRecord): MarcBook['series'] {
  const field = ['490', '440', '830', '800'].flatMap((tag) => dataFields(record, tag))[0];
  if (!field) return null;
  const [written = ''] = subfieldsOf(field, field.tag === '800' ? 't' : 'a');
  const name = oneLine(withoutCardPunctuation(written));
  const volume = oneLine(withoutFullStop(subfieldsOf(field, 'v')[0] ?? ''));
  if (!isName(name)) return null;
  return { name, volume: volume !== '' && volume.length <= LONGEST.volume ? volume : null };
}

const genreOf = (field: DataField) => oneLine(withoutFullStop(subfieldsOf(field, 'a')[0] ?? ''));

const RECORDED_PRICE = /^[^\d.,]*(\d{1,6})[.,](\d{2})\D*$/;

/** Whether an amount is in the library’s currency, as records name it. */
const isOurs = (text: string) => text.includes(currency()) || (currency() === 'PLN' && /zł/i.test(text));

function priceOf(record: MarcRecord): number | null {
  const told = [
    ...dataFields(record, '365').flatMap((field) =>
      subfieldsOf(field, 'c').some(isOurs) ? subfieldsOf(field, 'b') : [],
    ),
    ...dataFields(record, '020').flatMap((field) => subfieldsOf(field, 'c').filter(isOurs)),
    ...dataFields(record, '952').flatMap((field) => subfieldsOf(field, 'v')),
  ];
  const [, whole, part] = told.map((text) => RECORDED_PRICE.exec(text)).find((found) => found !== null) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(part);
}

/** Items as Koha writes them, but those that are lost or withdrawn; otherwise holdings. */
function heldIn(record: MarcRecord): DataField[] {
  const isGone = (field: DataField) => subfieldsOf(field, '01').some((text) => /^[1-9]/.test(text));
  const items = dataFields(record, '952').filter((field) => !isGone(field));
  return items.length > 0 ? items : dataFields(record, '852');
}

/** Of the parts of a shelf mark, the first being that which is written. */
const MARK_CODES: Readonly<Record<string, string>> = { '952': 'o', '852': 'hki' };

function copyOf(field: DataField): MarcCopy {
  const written = subfieldsOf(field, MARK_CODES[field.tag] ?? '').join(' ');
  return {
    mark: shelfMarkSchema.safeParse(oneLine(written)).data ?? null,
    label: oneLine(subfieldsOf(field, 'p')[0] ?? '').slice(0, 60) || null,
  };
}

/** What a field says beside the mark stays: it is of the copy of its label, or, where it has none, of the copy in its place. */
function withCopies(record: MarcRecord, copies: readonly MarcCopy[]): MarcRecord {
  const present = heldIn(record);
  const tag = present[0]?.tag ?? '952';
  const codes = MARK_CODES[tag] ?? '';
  const fields = copies.map(({ mark, label }, at) => {
    const unlabelled = present[at] && copyOf(present[at]).label === null ? present[at] : undefined;
    const found = present.find((field) => label !== null && copyOf(field).label === label) ?? unlabelled;
    if (found && copyOf(found).mark === mark) return found;
    const marked = mark === null ? [] : [[codes.charAt(0), mark] as const];
    const others = found?.subfields ?? (label === null ? [] : [['p', label] as const]);
    const subfields = [...marked, ...others.filter(([code]) => !codes.includes(code))];
    return { tag, indicators: found?.indicators ?? '  ', subfields };
  });
  return withFields(record, (field) => present.includes(field as DataField), fields);
}

/** What is said of copies, in any order; labels only where all have one. A record that names no copies is of one, of which nothing is known. */
function heldAs(copies: readonly MarcCopy[], isLabelled: boolean): string {
  const said = copies.map(({ mark, label }) => `${mark ?? ''}\n${isLabelled ? (label ?? '') : ''}`);
  return JSON.stringify(said.length === 0 ? ['\n'] : said.sort());
}
const areLabelled = (copies: readonly MarcCopy[]) => copies.every(({ label }) => label !== null);

/** What of a record is what of the book: said once, and used by the import and the export. */
const BOOK_FIELDS: { readonly [Name in BookField]: Rule<MarcBook[Name]> } = {
  numbers: {
    read: numbersOf,
    write: (record, [number = '']) => {
      const isIsbn = canonicalIsbn(number) === number;
      // The first one is the book's; a book without has none.
      return isIsbn
        ? withFields(record, tagged('020'), [
            dataField('020', '  ', ['a', number]),
            ...dataFields(record, '020'),
          ])
        : withFields(record, tagged('020', '024'), [dataField('024', '3 ', ['a', number])]);
    },
    // A number that was made of the record itself is not in it.
    same: (one, [other]) =>
      other === undefined || one.includes(other) || (one.length === 0 && isInternalNumber(other)),
  },
  authors: {
    read: authorsOf,
    write: withAuthors,
    same: (one, other) => one.map(authorKey).join('\n') === other.map(authorKey).join('\n'),
  },
  title: { read: titleOf, write: withTitle },
  originalTitle: {
    read: (record) => {
      const written = dataFields(record, '240', '130').flatMap((field) => subfieldsOf(field, 'a'))[0] ?? '';
      const title = oneLine(withoutFullStop(written));
      return fits(LONGEST.title)(title) && foldedLetters(title) !== foldedLetters(titleOf(record))
        ? title
        : null;
    },
    write: (record, title) =>
      withFields(
        record,
        tagged('240', '130'),
        title === null ? [] : [dataField('240', '10', ['a', withFullStop(title)])],
      ),
  },
  otherTitles: {
    read: otherTitlesOf,
    write: (record, titles) =>
      withFields(
        record,
        tagged('246'),
        titles.map((title) => dataField('246', '3 ', ['a', `${title} /`])),
      ),
    same: (one, other) =>
      one.map(foldedLetters).sort().join('\n') === other.map(foldedLetters).sort().join('\n'),
  },
  publisher: {
    read: publisherOf,
    write: (record, name) => withImprint(record, 'b', `${name ?? '[s.n.]'},`),
  },
  published: {
    read: publishedOf,
    write: (record, published) => {
      const year = /^\d{4}/.exec(published ?? '')?.[0];
      const dated = withImprint(record, 'c', published ?? '[n.d.]');
      return withCodes(dated, '008', 6, year ? `s${year}    ` : 'nuuuuuuuu');
    },
  },
  language: {
    read: languageOf,
    write: (record, language) => withCodes(record, '008', 35, marcLanguage(language)),
  },
  series: {
    read: seriesOf,
    write: (record, series) => {
      const volume: [string, string][] = series?.volume ? [['v', series.volume]] : [];
      const fields = series ? [dataField('490', '0 ', ['a', `${series.name} ;`], ...volume)] : [];
      return withFields(record, tagged('490', '440', '800', '830'), fields);
    },
    same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
  },
  genres: {
    read: (record) =>
      distinct(dataFields(record, '650', '655').map(genreOf))
        .filter(isName)
        .slice(0, MAX_GENRES),
    write: (record, genres) => {
      const present = dataFields(record, '650', '655');
      const kept = present.filter((field) => genres.includes(genreOf(field)));
      const names = kept.map(genreOf);
      const added = genres
        .filter((name) => !names.includes(name))
        .map((name) => dataField('655', ' 4', ['a', withFullStop(name)]));
      return withFields(record, tagged('650', '655'), [...kept, ...added]);
    },
    same: (one, other) => [...one].sort().join('\n') === [...other].sort().join('\n'),
  },
  description: {
    read: descriptionOf,
    write: (record, description) => {
      const paragraphs = description === '' ? [] : description.split('\n\n');
      return withFields(
        record,
        tagged('520'),
        paragraphs.map((text) => dataField('520', '  ', ['a', text])),
      );
    },
  },
  price: {
    read: priceOf,
    write: (record, price) => {
      const said = { b: ((price ?? 0) / 100).toFixed(2), c: currency() };
      return withFields(
        record,
        tagged('365'),
        price === null ? [] : [dataField('365', '  ', ...Object.entries(said))],
      );
    },
  },
  copies: {
    read: (record) => heldIn(record).map(copyOf),
    write: withCopies,
    same: (one, other) => {
      const isLabelled = one.length > 0 && areLabelled(one) && areLabelled(other);
      return heldAs(one, isLabelled) === heldAs(other, isLabelled);
    },
  },
};

const BOOK_FIELD_NAMES = Object.keys(BOOK_FIELDS) as BookField[];

const isSame = <Name extends BookField>(name: Name, one: MarcBook[Name], other: MarcBook[Name]) =>
  BOOK_FIELDS[name].same?.(one, other) ?? one === other;

/** Everything that the catalogue shows of a record. */
export function bookOfMarc(record: MarcRecord): MarcBook {
  return Object.fromEntries(
    BOOK_FIELD_NAMES.map((name) => [name, BOOK_FIELDS[name].read(record)]),
  ) as unknown as MarcBook;
}

/** The fields of which both do not say the same. */
export function differingFields(one: MarcBook, other: MarcBook): BookField[] {
  return BOOK_FIELD_NAMES.filter((name) => !isSame(name, one[name], other[name]));
}

/** The record with what the book says otherwise; the record itself where that is nothing. */
export function withBook(record: MarcRecord, book: MarcBook): MarcRecord {
  const written = <Name extends BookField>(into: MarcRecord, name: Name) =>
    isSame(name, BOOK_FIELDS[name].read(into), book[name]) ? into : BOOK_FIELDS[name].write(into, book[name]);
  return BOOK_FIELD_NAMES.reduce<MarcRecord>(written, record);
}

/** A record of what the catalogue knows, for a book that came without one. @param added when the catalogue got it */
export function newRecord(book: MarcBook, added: Date): MarcRecord {
  const day = added.toISOString().slice(2, 10).replaceAll('-', '');
  const codes = `${day}nuuuuuuuuxx            000 0 und d`;
  return withBook(
    {
      leader: '00000nam a2200000 i 4500',
      fields: [
        { tag: '001', value: book.numbers[0] ?? '' },
        { tag: '008', value: codes.padEnd(40) },
      ],
    },
    book,
  );
}
