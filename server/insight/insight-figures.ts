import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  ACTIVITIES,
  GENRES_SHOWN,
  HOLD_OUTCOMES,
  TITLES_SHOWN,
  type GenresInsight,
  type ActivitiesPage,
  type ActivitiesQuery,
  type HoursInsight,
  type IdleInsight,
  type InsightQuery,
  type TitlesInsight,
} from '#contracts/insight/insight.js';
import { addDays } from '#contracts/local-day.js';
import { queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { utcOffsets, quartersOfHour } from './utc-offsets.js';
import {
  genresStatement,
  activitiesStatement,
  hoursStatement,
  idleStatement,
  spanOf,
  titlesStatement,
} from './insight-statements.js';
import { LowPriorityReader } from './low-priority-reader.js';

export const titleRow = z.object({
  bookId: z.int(),
  title: z.string(),
  copies: z.int().nullable(),
  loans: z.int(),
  allLoans: z.int(),
  allTitles: z.int(),
});

export const genreRow = z.object({
  genreId: z.int(),
  name: z.string(),
  titles: z.int(),
  copies: z.int(),
  loans: z.int(),
  allLoans: z.int(),
  allGenres: z.int(),
});

export const idleRow = z.object({
  bookId: z.int(),
  title: z.string(),
  copies: z.int(),
  addedAt: z.date(),
  lastLoan: z.string().nullable(),
  allTitles: z.int(),
  allCopies: z.int(),
});

const hourRow = z.object({ hour: z.int(), what: z.enum(ACTIVITIES), books: z.int() });

/** A page that is beyond the end has no happening, and the total all the same. */
const happeningRow = z.object({
  total: z.int(),
  at: z.date().nullable(),
  what: z.enum([...ACTIVITIES, ...HOLD_OUTCOMES]).nullable(),
  borrowId: z.string().nullable(),
  holdId: z.string().nullable(),
  bookId: z.int().nullable(),
  title: z.string().nullable(),
});

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** What happened in the library, counted. Days and hours are the library's. */
@Injectable()
export class InsightFigures {
  constructor(
    private readonly reader: LowPriorityReader,
    private readonly readModel: ReadModelSchema,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  async titles(query: InsightQuery): Promise<TitlesInsight> {
    const statement = titlesStatement(await this.readModel.toRead(), this.span(query));
    const rows = await this.rows(titleRow, `${statement} limit ${TITLES_SHOWN}`);
    return {
      loans: rows[0]?.allLoans ?? 0,
      totalCount: rows[0]?.allTitles ?? 0,
      items: rows.map(({ allLoans: _loans, allTitles: _titles, ...item }) => item),
    };
  }

  async genres(query: InsightQuery): Promise<GenresInsight> {
    const statement = genresStatement(await this.readModel.toRead(), this.span(query));
    const rows = await this.rows(genreRow, `${statement} limit ${GENRES_SHOWN}`);
    return {
      loans: rows[0]?.allLoans ?? 0,
      totalCount: rows[0]?.allGenres ?? 0,
      items: rows.map(({ allLoans: _loans, allGenres: _genres, ...item }) => item),
    };
  }

  async idle(query: InsightQuery): Promise<IdleInsight> {
    const statement = idleStatement(await this.readModel.toRead(), this.span(query));
    const rows = await this.rows(idleRow, `${statement} limit ${TITLES_SHOWN}`);
    return {
      totalCount: rows[0]?.allTitles ?? 0,
      copies: rows[0]?.allCopies ?? 0,
      items: rows.map(({ allTitles: _titles, allCopies: _copies, addedAt, ...item }) => ({
        ...item,
        addedAt: addedAt.toISOString(),
      })),
    };
  }

  async hours(query: InsightQuery): Promise<HoursInsight> {
    const timeZone = this.timeZone.name;
    const shifts = utcOffsets(query.from, addDays(query.to, 1), timeZone);
    const schema = await this.readModel.toRead();
    // A zone may leave a day out.
    const rows =
      shifts.length === 0 ? [] : await this.rows(hourRow, hoursStatement(schema, this.span(query), shifts));
    const items = HOURS.map((hour) => ({ hour, Rented: 0, Issued: 0, Returned: 0 }));
    for (const { hour, what, books } of rows) {
      const item = items[hour];
      if (item) item[what] = books;
    }
    return { timeZone, items };
  }

  private async withMerged(bookId: number): Promise<number[]> {
    const rows = await this.reader.read((connection) =>
      queryRows(connection, z.object({ id: z.int() }), 'select id from merged_book where kept_id = $1', [
        bookId,
      ]),
    );
    return [bookId, ...rows.map(({ id }) => id)];
  }

  /** What a figure counts, the latest first. */
  async activities(query: ActivitiesQuery): Promise<ActivitiesPage> {
    const { from, to, hour, what, bookId, genreId, pageNumber, pageSize } = query;
    const shifts = hour === undefined ? [] : utcOffsets(from, addDays(to, 1), this.timeZone.name);
    const quarters = hour === undefined ? undefined : quartersOfHour(hour, shifts);
    const bookIds = bookId === undefined ? undefined : await this.withMerged(bookId);
    const statement = activitiesStatement(
      await this.readModel.toRead(),
      this.span(query),
      { what, bookIds, genreId, quarters },
      pageSize,
      (pageNumber - 1) * pageSize,
    );
    const rows = await this.reader.read((connection) => queryRows(connection, happeningRow, statement));
    return {
      totalCount: rows[0]?.total ?? 0,
      items: rows.flatMap(({ at, what: happened, borrowId, holdId, bookId: book, title }) =>
        at === null || happened === null || book === null || title === null
          ? []
          : { at: at.toISOString(), what: happened, borrowId, holdId, bookId: book, title },
      ),
    };
  }

  private span(query: InsightQuery) {
    return spanOf(query, this.timeZone.name);
  }

  private rows<Row extends z.ZodType>(row: Row, statement: string): Promise<z.output<Row>[]> {
    return this.reader.read((connection) => queryRows(connection, row, statement));
  }
}
