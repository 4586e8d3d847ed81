/**
 * How well `GET Book` orders what it finds: 100 searches, each with the books that a librarian expects and how much each of them
 * is what was meant (3: this one, 2: fits well, 1: fits), as nDCG of the first ten. 1 is the best order there can be.
 * Sixty are this project's own; forty were written beside the program by somebody who does not change it, before it was changed.
 * The catalogue is the list of 10,000 real books where it lies beside the project (`LECTERN_SHARED_DATA`); else the demo
 * catalogue, with the searches of which it has a book.
 * Run it from the build: `node dist/bench/relevance.bench.js [--json FILE]`.
 */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { openDatabase, type Database } from '#platform/database/database.js';
import { migrate } from '#platform/database/migrate.js';
import { queryRows } from '#platform/database/query-rows.js';
import { createLogger } from '#platform/logging.js';
import { packageRoot } from '#platform/package-root.js';
import { seedDemoCatalogue } from '../server/catalogue/demo-catalogue.js';
import { bookOfRow } from '../server/catalogue/import/book-of-row.js';
import { recogniseColumns } from '../server/catalogue/import/columns.js';
import { readCsv } from '../server/imports/csv-records.js';
import { importBooks } from '../server/catalogue/import/import-books.js';
import { startThrowAwayPostgres } from './floor-postgres.js';
import { HttpLoad } from './http-load.js';
import { printTable } from './measure.js';
import { writeRawFigures } from './raw-figures.js';
import { runServer, startRole } from './server-process.js';

const FIRST = 10;
const logger = createLogger('warn');
const searchesSchema = z.array(
  z.object({
    search: z.string(),
    expects: z.array(z.object({ grade: z.int().min(1).max(3), book: z.int(), title: z.string() })),
  }),
);
const pageSchema = z.object({ items: z.array(z.object({ isbn: z.string(), title: z.string() })) });

/** A search, and how much each book is what was meant, by its number in the catalogue. */
interface GradedSearch {
  search: string;
  grades: Map<string, number>;
}

if (process.argv[2] === 'server') await runServer(process.argv[3] ?? '');
else await runBenchmark();

async function runBenchmark(): Promise<void> {
  const postgres = await startThrowAwayPostgres();
  try {
    await postgres.createDatabase('lectern');
    const url = postgres.url('lectern');
    await migrate(url);
    const database = openDatabase(url, 4, logger);
    try {
      const searches = await fill(database);
      await measure(url, searches);
    } finally {
      await database.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function fill(database: Database): Promise<GradedSearch[]> {
  const text = readFileSync(join(packageRoot(), 'bench/relevance-searches.json'), 'utf8');
  const searches = searchesSchema.parse(JSON.parse(text));
  const shared = process.env['LECTERN_SHARED_DATA'] ?? join(packageRoot(), '../shared/data');
  const file = join(shared, 'goodbooks-10k.csv');
  const isThere = existsSync(file);
  if (isThere) {
    await importBooks(database, createReadStream(file, 'utf8') as AsyncIterable<string>, {
      copies: undefined,
    });
  } else {
    await seedDemoCatalogue(database);
  }
  const isbnOf = isThere ? await isbnsByNumber(file) : await isbnsByTitle(database);
  return searches.flatMap(({ search, expects }) => {
    const grades = new Map<string, number>();
    for (const { grade, book, title } of expects) {
      const isbn = isbnOf(book, title);
      if (isbn !== undefined) grades.set(isbn, grade);
    }
    return grades.size > 0 ? { search, grades } : [];
  });
}

/** The numbers in the catalogue that the import gave the rows. */
async function isbnsByNumber(file: string): Promise<(book: number) => string | undefined> {
  const isbns = new Map<number, string>();
  let columns: ReturnType<typeof recogniseColumns> | undefined;
  const options = { copies: undefined, thisYear: new Date().getUTCFullYear() };
  for await (const record of readCsv(createReadStream(file, 'utf8') as AsyncIterable<string>)) {
    if ('refused' in record) continue;
    if (!columns) {
      columns = recogniseColumns(record.cells);
      continue;
    }
    const result = bookOfRow(record.cells, columns, options);
    const number = Number(record.cells[columns.places.number ?? -1]);
    if ('book' in result) isbns.set(number, result.book.isbn);
  }
  return (book) => isbns.get(book);
}

async function isbnsByTitle(
  database: Database,
): Promise<(book: number, title: string) => string | undefined> {
  const row = z.object({ isbn: z.string(), title: z.string() });
  const books = await queryRows(database, row, 'select isbn, title from book');
  const isbns = new Map(books.map(({ isbn, title }) => [title, isbn]));
  return (_book, title) => isbns.get(title);
}

async function measure(url: string, searches: readonly GradedSearch[]): Promise<void> {
  const server = await startRole(fileURLToPath(import.meta.url), 'server', url);
  const http = new HttpLoad(server.url, 1);
  const rows: { search: string; nDCG: number; first: string }[] = [];
  for (const { search, grades } of searches) {
    const query = new URLSearchParams({ SearchTerm: search, pageNumber: '1', pageSize: String(FIRST) });
    const answer = await http.get(`/api/Book?${query.toString()}`);
    const { items } = pageSchema.parse(JSON.parse(answer.toString()));
    const found = items.map(({ isbn }) => grades.get(isbn) ?? 0);
    const best = [...grades.values()].sort((one, other) => other - one).slice(0, FIRST);
    rows.push({ search, nDCG: gain(found) / gain(best), first: items[0]?.title.slice(0, 60) ?? '' });
  }
  http.close();
  await server.stop();
  const mean = rows.reduce((sum, { nDCG }) => sum + nDCG, 0) / rows.length;
  printTable(rows.map(({ nDCG, ...row }) => ({ ...row, nDCG: nDCG.toFixed(3) })));
  process.stdout.write(`\n${rows.length} searches, mean nDCG of the first ${FIRST}: ${mean.toFixed(4)}\n`);
  writeRawFigures({ searches: rows, mean });
}

/** Discounted by the place: what is lower on the page counts for less. */
function gain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}
