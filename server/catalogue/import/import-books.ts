import * as m from '#words/messages.js';
import { isInternalNumber } from '#contracts/catalogue/book-facts.js';
import { z } from 'zod';
import { inTransaction, type Database } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { writeBooks, type NewBook } from '../book-writer.js';
import { completeBooks } from './complete-books.js';
import { bookOfRow, type RowOptions } from './book-of-row.js';
import { InvalidHeader } from '../../imports/columns.js';
import { recogniseColumns } from './columns.js';
import { readCsv } from '../../imports/csv-records.js';

/** Rows of one transaction. */
const BATCH = 500;

/** What came of a file. */
export interface ImportSummary {
  rows: number;
  added: number;
  alreadyThere: number;
  /** Of those: books that lacked something which their row brought. */
  completed: number;
  refused: number;
  repaired: number;
  /** False if it was stopped early; books added so far stay. */
  finished: boolean;
}

export interface ImportOptions extends Omit<RowOptions, 'thisYear'> {
  delimiter?: string | undefined;
  /** Where the rows below the first line are in their file; the second line unless it is said. */
  firstLine?: number;
  /** Says what would come of the file, and keeps nothing of it. */
  isPreview?: boolean;
  /** Called for every row that is refused or repaired. */
  onRow?: (line: number, what: 'refused' | 'repaired', reason: string) => void;
  /** Called after every batch. */
  onProgress?: (soFar: Readonly<ImportSummary>) => void;
  /** Stops after the batch under way. */
  signal?: AbortSignal;
}

const presentRow = z.object({ isbn: z.string(), title: z.string() });

interface ReadRow {
  line: number;
  book: NewBook;
  repairs: string[];
}

/**
 * Loads a CSV file of books. Every batch of rows is one transaction; an invalid row is refused and reported,
 * and a book whose number is in the catalogue gets what it lacks, and keeps what it has.
 * @param chunks the decoded file
 * @throws InvalidHeader if the first line names no usable columns
 */
export async function importBooks(
  database: Database,
  chunks: AsyncIterable<string>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const run = new ImportRun(database, options);
  const rowOptions = { copies: options.copies, thisYear: new Date().getUTCFullYear() };
  const shift = (options.firstLine ?? 2) - 2;
  let columns: ReturnType<typeof recogniseColumns> | undefined;
  for await (const record of readCsv(chunks, options.delimiter)) {
    if (!columns) {
      if ('refused' in record) throw new InvalidHeader(m.import_first_line({ reason: record.refused }));
      columns = recogniseColumns(record.cells);
      continue;
    }
    const result = 'refused' in record ? record : bookOfRow(record.cells, columns, rowOptions);
    await run.take(record.line + shift, result);
    if (options.signal?.aborted) return run.summary;
  }
  if (!columns) throw new InvalidHeader(m.import_empty());
  await run.flush();
  run.summary.finished = true;
  return run.summary;
}

class ImportRun {
  readonly summary: ImportSummary = {
    rows: 0,
    added: 0,
    alreadyThere: 0,
    completed: 0,
    refused: 0,
    repaired: 0,
    finished: false,
  };
  private batch: ReadRow[] = [];
  /** The line where each number first occurs. Kept as numbers: a million take 60 MB. */
  private readonly lines = new Map<number | string, number>();

  constructor(
    private readonly database: Database,
    private readonly options: ImportOptions,
  ) {}

  async take(line: number, result: ReturnType<typeof bookOfRow>): Promise<void> {
    this.summary.rows += 1;
    if ('refused' in result) return this.refuse(line, result.refused);
    const { isbn } = result.book;
    const key = /^\d{13}$/.test(isbn) ? Number(isbn) : isbn;
    const earlier = this.lines.get(key);
    if (earlier !== undefined) {
      return this.refuse(line, m.import_number_of_line({ isbn, line: earlier }));
    }
    this.lines.set(key, line);
    this.batch.push({ line, ...result });
    if (this.batch.length >= BATCH) await this.flush();
  }

  async flush(): Promise<void> {
    const rows = this.batch;
    this.batch = [];
    if (rows.length > 0) await this.write(rows);
    this.options.onProgress?.(this.summary);
  }

  private async write(rows: readonly ReadRow[]): Promise<void> {
    const strangers = await this.numbersOfOtherBooks(rows);
    const own = rows.filter(({ line, book }) => {
      const title = strangers.get(book.isbn);
      if (title !== undefined) {
        this.refuse(line, m.import_number_of_other({ isbn: book.isbn, title }));
      }
      return title === undefined;
    });
    const books = own.map(({ book }) => book);
    const { added, completed } = await inTransaction(this.database, async (connection) => {
      const written = await writeBooks(connection, books);
      const there = books.flatMap((book) => {
        const id = written.present.get(book.isbn);
        return id === undefined ? [] : { ...book, id };
      });
      const completed = await completeBooks(connection, there);
      if (this.options.isPreview) await connection.query('rollback and chain');
      return { added: written.added, completed };
    });
    this.summary.added += added;
    this.summary.alreadyThere += own.length - added;
    this.summary.completed += completed.length;
    for (const { line, repairs } of own) {
      if (repairs.length === 0) continue;
      this.summary.repaired += 1;
      this.options.onRow?.(line, 'repaired', repairs.join('; '));
    }
  }

  /** Two sources may use the same record numbers: then the title shows that it is another book. */
  private async numbersOfOtherBooks(rows: readonly ReadRow[]): Promise<Map<string, string>> {
    const titles = new Map(
      rows.filter(({ book }) => isInternalNumber(book.isbn)).map(({ book }) => [book.isbn, book.title]),
    );
    if (titles.size === 0) return new Map();
    const present = await queryRows(
      this.database,
      presentRow,
      'select isbn, title from book where isbn = any($1::text[])',
      [[...titles.keys()]],
    );
    const others = present.filter(({ isbn, title }) => titles.get(isbn) !== title);
    return new Map(others.map(({ isbn, title }) => [isbn, title]));
  }

  private refuse(line: number, reason: string): void {
    this.summary.refused += 1;
    this.options.onRow?.(line, 'refused', reason);
  }
}
