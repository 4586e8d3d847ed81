import { NOT_IN_XML } from '#platform/markup.js';
import { newRecord, withBook } from '../marc/book-fields.js';
import { dataField } from '../marc/marc-fields.js';
import { readKept } from '../marc/read-marc.js';
import { isControl, type MarcField, type MarcRecord } from '../marc/record.js';
import type { StoredBook } from '../marc-import/marc-books.js';

/** Who gave the book, what is done with it, where its copies are, and whatever a library notes for itself. */
const PRIVATE = /^(?:541|561|583|59\d|852|87[678]|9\d\d)$/;

/**
 * What everybody may have of a book’s record, as the schema of MARCXML wants it.
 * @param address of the book’s page
 */
export function publicRecord(stored: StoredBook, address: string): MarcRecord {
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
      dataField('856', '4 ', ['u', address]),
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
