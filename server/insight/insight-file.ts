import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { csvLine, quotedFormula } from '#contracts/csv-cells.js';
import type { Insight, InsightFileQuery, InsightQuery, WantedQuery } from '#contracts/insight/insight.js';
import { localDay } from '#contracts/local-day.js';
import type { Connection } from '#platform/database/database.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { mapInTimeSlices } from '#platform/time-slices.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { genreRow, idleRow, InsightFigures, titleRow } from './insight-figures.js';
import { genresStatement, idleStatement, spanOf, titlesStatement, type Span } from './insight-statements.js';
import { LowPriorityReader } from './low-priority-reader.js';
import { WantedTitles } from './wanted-titles.js';

/** Rows that are fetched at once. */
const BATCH = 2_000;

/** A list that can be as long as the catalogue. */
interface Table<Row extends z.ZodType> {
  header: readonly string[];
  row: Row;
  statement: (schema: string, span: Span) => string;
  cells: (row: z.output<Row>, dayOf: (instant: string | Date) => string) => (string | number)[];
}

const table = <Row extends z.ZodType>(described: Table<Row>) => described;

const perCopy = (loans: number, copies: number | null) => (copies ? (loans / copies).toFixed(2) : '');

const TABLES = {
  titles: table({
    header: ['title', 'book', 'copies', 'loans', 'loans_per_copy'],
    row: titleRow,
    statement: titlesStatement,
    cells: ({ title, bookId, copies, loans }) => [title, bookId, copies ?? '', loans, perCopy(loans, copies)],
  }),
  genres: table({
    header: ['genre', 'titles', 'copies', 'loans', 'loans_per_copy'],
    row: genreRow,
    statement: genresStatement,
    cells: ({ name, titles, copies, loans }) => [name, titles, copies, loans, perCopy(loans, copies)],
  }),
  idle: table({
    header: ['title', 'book', 'copies', 'added', 'last_lent'],
    row: idleRow,
    statement: idleStatement,
    cells: ({ title, bookId, copies, addedAt, lastLoan }, dayOf) => [
      title,
      bookId,
      copies,
      dayOf(addedAt),
      lastLoan === null ? '' : dayOf(lastLoan),
    ],
  }),
} satisfies Partial<Record<Insight, unknown>>;

const WANTED_HEADER = [
  ...['title', 'book', 'copies', 'waiting', 'paused', 'first_since', 'last_in_days', 'copies_to_buy'],
  ...['reserved', 'cancelled', 'not_collected', 'not_needed'],
];

/** Whole lists as CSV, of one moment. No cell is a formula to a spreadsheet. */
@Injectable()
export class InsightFile {
  constructor(
    private readonly figures: InsightFigures,
    private readonly wantedTitles: WantedTitles,
    private readonly reader: LowPriorityReader,
    private readonly readModel: ReadModelSchema,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  /** The file in UTF-8: whole before it is sent, so that nobody keeps a connection for as long as they take to fetch it. */
  async make({ of, ...query }: InsightFileQuery): Promise<Buffer> {
    if (of === 'hours') return this.hours(query);
    if (of === 'wanted') return this.wanted(query);
    const schema = await this.readModel.toRead();
    const span = spanOf(query, this.timeZone.name);
    return this.reader.read((connection) => {
      switch (of) {
        case 'titles':
          return this.tableOf(connection, TABLES.titles, schema, span);
        case 'genres':
          return this.tableOf(connection, TABLES.genres, schema, span);
        case 'idle':
          return this.tableOf(connection, TABLES.idle, schema, span);
      }
    });
  }

  private async tableOf<Row extends z.ZodType>(
    connection: Connection,
    { header, row, statement, cells }: Table<Row>,
    schema: string,
    span: Span,
  ): Promise<Buffer> {
    const parts = [Buffer.from(csvLine(header))];
    const dayOf = (instant: string | Date) => localDay(new Date(instant).getTime(), this.timeZone.name);
    await connection.query(`declare figures no scroll cursor for ${statement(schema, span)}`);
    for (;;) {
      const rows = await queryRows(connection, row, `fetch ${BATCH} from figures`);
      if (rows.length === 0) return Buffer.concat(parts);
      parts.push(Buffer.from(rows.map((each) => line(cells(each, dayOf))).join('')));
    }
  }

  private async wanted(query: WantedQuery): Promise<Buffer> {
    const { items } = await this.wantedTitles.all(query);
    const lines = await mapInTimeSlices(items, (item) =>
      line([
        ...[item.title, item.bookId, item.copies, item.waiting, item.paused],
        ...[localDay(item.firstSince, this.timeZone.name), item.lastInDays ?? '', item.copiesToBuy],
        ...[item.Reserved, item.Cancelled, item.NotCollected, item.NotNeeded],
      ]),
    );
    return Buffer.from([csvLine(WANTED_HEADER), ...lines].join(''));
  }

  private async hours(query: InsightQuery): Promise<Buffer> {
    const { items } = await this.figures.hours(query);
    const lines = items.map(({ hour, Rented, Issued, Returned }) => line([hour, Rented, Issued, Returned]));
    return Buffer.from([csvLine(['hour', 'rented', 'issued', 'returned']), ...lines].join(''));
  }
}

const line = (cells: (string | number)[]) => csvLine(cells.map((cell) => quotedFormula(String(cell))));
