import * as m from '#words/messages.js';
import { newRecord, withBook } from '../marc/book-fields.js';
import { writeIso2709 } from '../marc/iso-2709.js';
import { MARC_XML_HEAD, MARC_XML_TAIL, writeMarcXml } from '../marc/marc-xml.js';
import { readKept } from '../marc/read-marc.js';
import { MarcDamaged, type MarcForm, type MarcRecord } from '../marc/record.js';
import { readStoredBooks, type StoredBook } from '../marc-import/marc-books.js';
import { reasonText } from '../marc-import/marc-reasons.js';
import { selected, selectionValues, type Selection } from './selection.js';
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
  const connection = await database.connect();
  let isBroken = true;
  try {
    await connection.query('begin isolation level repeatable read read only');
    if (form === 'marcxml') yield Buffer.from(MARC_XML_HEAD);
    let written = 0;
    for (let last = 0; ;) {
      const books = await readStoredBooks(
        connection,
        `b.id > $1 and ${selected(2)} order by b.id limit ${BATCH}`,
        [last, ...selectionValues(options)],
      );
      if (books.length === 0) break;
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
      last = books.at(-1)?.id ?? last;
      options.onProgress?.((written += pieces.length));
    }
    if (form === 'marcxml') yield Buffer.from(MARC_XML_TAIL);
    await connection.query('commit');
    isBroken = false;
  } finally {
    // Left early, it is in the middle of its transaction: such a connection is not for the next one.
    connection.release(isBroken);
  }
}

function writtenAs(form: MarcForm, { kept, book, created }: StoredBook): Buffer {
  if (!kept) return written(form, newRecord(book, created));
  const came = readKept(kept);
  const record = withBook(came, book);
  if (record === came && kept.form === form && form === 'iso2709') return kept.bytes;
  // What came as XML is Unicode, whatever its leader says.
  const { leader } = record;
  return written(
    form,
    kept.form === 'marcxml' ? { ...record, leader: `${leader.slice(0, 9)}a${leader.slice(10)}` } : record,
  );
}

const written = (form: MarcForm, record: MarcRecord) =>
  form === 'iso2709' ? writeIso2709(record) : Buffer.from(writeMarcXml(record));
