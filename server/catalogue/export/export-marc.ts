import * as m from '#words/messages.js';
import { newRecord, withBook } from '../marc/book-fields.js';
import { MARC_XML_HEAD, MARC_XML_TAIL } from '../marc/marc-xml.js';
import { readKept, writeRecord } from '../marc/read-marc.js';
import { MarcDamaged, type MarcForm } from '../marc/record.js';
import { readStoredBooks, type StoredBook } from '../marc-import/marc-books.js';
import { reasonText } from '../marc-import/marc-reasons.js';
import { pagesOfBooks, selected, selectionValues, type Selection } from './selection.js';
import type { Database } from '#platform/database/database.js';

/** Books read at once. */
const BATCH = 500;

export interface MarcExportOptions extends Selection {
  /** Told of every book that the format has no room for: it is left out. */
  onLeft?: (isbn: string, reason: string) => void;
  /** Told how many books are written. */
  onProgress?: (books: number) => void;
}

/**
 * Books as a file of records, as of one moment, in memory that does not depend on their number. A record that came with its book is
 * written as it came, with what the catalogue says otherwise; in ISO 2709 it is the same bytes where that is nothing.
 */
export async function* exportMarc(
  database: Database,
  form: MarcForm,
  options: MarcExportOptions = {},
): AsyncGenerator<Buffer> {
  const pages = pagesOfBooks(database, (connection, last) =>
    readStoredBooks(connection, `b.id > $1 and ${selected(2)} order by b.id limit ${BATCH}`, [
      last,
      ...selectionValues(options),
    ]),
  );
  let written = 0;
  if (form === 'marcxml') yield Buffer.from(MARC_XML_HEAD);
  for await (const books of pages) {
    const pieces = books.flatMap((book) => {
      try {
        return [writtenAs(form, book)];
      } catch (error) {
        if (!(error instanceof MarcDamaged)) throw error;
        const { damage: code, where } = error;
        const reason = code === 'too-long' ? m.export_no_room({ where }) : reasonText({ code, where });
        options.onLeft?.(book.book.numbers[0] ?? '', reason);
        return [];
      }
    });
    yield Buffer.concat(pieces);
    options.onProgress?.((written += pieces.length));
  }
  if (form === 'marcxml') yield Buffer.from(MARC_XML_TAIL);
}

function writtenAs(form: MarcForm, { kept, book, created }: StoredBook): Buffer {
  if (!kept) return writeRecord(newRecord(book, created), form);
  const came = readKept(kept);
  const record = withBook(came, book);
  if (record === came && kept.form === form && form === 'iso2709') return kept.bytes;
  // What came as XML is Unicode, whatever its leader says.
  const leader = `${record.leader.slice(0, 9)}a${record.leader.slice(10)}`;
  return writeRecord(kept.form === 'marcxml' ? { ...record, leader } : record, form);
}
