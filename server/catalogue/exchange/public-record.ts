import { bookAddress } from '#contracts/catalogue/book-address.js';
import { newRecord, withBook } from '../marc/book-fields.js';
import { dataField } from '../marc/marc-fields.js';
import { MARC_NAMESPACE, writeMarcXml } from '../marc/marc-xml.js';
import { readKept } from '../marc/read-marc.js';
import { isControl, type MarcField, type MarcRecord } from '../marc/record.js';
import type { StoredBook } from '../marc-import/marc-books.js';
import { NO_FIRSTNAME } from '../import/author-name.js';
import { canonicalIsbn } from '../isbn.js';
import { NOT_IN_XML, Xml } from './xml.js';

/** Who gave the book, what is done with it, where its copies are, and whatever a library notes for itself. */
const PRIVATE = /^(?:541|561|583|59\d|852|87[678]|9\d\d)$/;

/** The address of a book’s page. @param site where the library is reached */
export const pageOfBook = (site: string, { id, book }: StoredBook): string =>
  site + encodeURI(bookAddress({ id, title: book.title }));

/** What everybody may have of a book’s record, as the schema of MARCXML wants it. */
function publicMarc(stored: StoredBook, site: string): MarcRecord {
  const { kept, created } = stored;
  const book = { ...stored.book, price: null, copies: [] };
  const { leader, fields } = kept ? withBook(readKept(kept), book) : newRecord(book, created);
  const valid = fields.flatMap(validField);
  const code = (place: number, otherwise = ' ') => /[\da-z]/i.exec(leader[place] ?? '')?.[0] ?? otherwise;
  return {
    leader: `00000${code(5, 'n')}${code(6, 'a')}${code(7, 'm')}${code(8)}a2200000${code(17)}${code(18)}${code(19)}4500`,
    fields: [
      ...valid.filter(isControl),
      ...valid.filter((field) => !isControl(field)),
      dataField('856', '4 ', ['u', pageOfBook(site, stored)]),
    ],
  };
}

function validField(field: MarcField): MarcField[] {
  const { tag } = field;
  if (!/^(?:00[1-9]|0[1-9]\d|[1-9]\d\d)$/.test(tag) || PRIVATE.test(tag)) return [];
  if (isControl(field)) return [{ tag, value: field.value.replace(NOT_IN_XML, '') }];
  const subfields = field.subfields.flatMap(([code, value]) =>
    /^[\da-z]$/.test(code) ? [[code, value.replace(NOT_IN_XML, '')] as const] : [],
  );
  const indicators = field.indicators.replace(/[^\da-z ]/g, ' ');
  return subfields.length === 0 ? [] : [{ tag, indicators, subfields }];
}

/** A record element of MARCXML. */
export const marcXmlOf = (stored: StoredBook, site: string): Xml =>
  new Xml(writeMarcXml(publicMarc(stored, site), MARC_NAMESPACE));

/** The elements of simple Dublin Core, with the prefix that is usual. */
export function dublinCoreOf(stored: StoredBook, site: string): (readonly [name: string, text: string])[] {
  const {
    title,
    originalTitle,
    authors,
    genres,
    description,
    publisher,
    published,
    language,
    series,
    numbers,
  } = stored.book;
  const isbns = numbers.filter((number) => canonicalIsbn(number) === number);
  const said: [string, (string | null)[]][] = [
    ['title', [title, originalTitle]],
    [
      'creator',
      authors.map(({ firstname, lastname }) =>
        firstname === NO_FIRSTNAME ? lastname : `${lastname}, ${firstname}`,
      ),
    ],
    ['subject', [...genres]],
    ['description', [description]],
    ['publisher', [publisher]],
    ['date', [published]],
    ['type', ['Text']],
    ['identifier', [pageOfBook(site, stored), ...isbns.map((isbn) => `urn:isbn:${isbn}`)]],
    ['language', [language]],
    ['relation', [series && [series.name, series.volume].filter(Boolean).join(' ; ')]],
  ];
  return said.flatMap(([name, texts]) =>
    texts.flatMap((text) => (text ? [[`dc:${name}`, text] as const] : [])),
  );
}
