import { Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { GENRE_SHELVES, SHELF_SIZE } from '#contracts/catalogue/shelves.js';
import { monthBefore } from '#contracts/borrowing/borrow-part.js';
import { localDay, startOfDay } from '#contracts/local-day.js';
import { Clock } from '#platform/clock.js';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { ReadModelSchema } from '#platform/database/read-model-schema.js';
import { Jobs } from '#platform/jobs/jobs.js';
import { LibraryTimeZone } from '#platform/library-time-zone.js';
import { DATABASE } from '#platform/tokens.js';
import { alsoBorrowed } from './also-borrowed.js';

const HOUR = 3_600_000;
/** A title that fewer readers borrowed in the month is not among the much read ones: else it would be seen what one reader reads. */
const MIN_READERS = 3;
/** Of so many genres: some have too few books left that stand in none before. */
const GENRES_TRIED = 15;
/** A genre with fewer books that somebody reads, or that are new, makes no shelf. */
const MIN_OF_GENRE = 4;
/** Of a reader who borrows for a whole school, only the last so many titles count. */
const TITLES_OF_READER = 500;
/** Twice what is shown: those of the same series are left out where they have a shelf of their own. */
const OTHERS = 24;

const checkpointRow = z.object({ position: z.string() });
const shelfRow = z.object({ genreId: z.int(), books: z.array(z.int()) });
const booksRow = z.object({ books: z.array(z.int()) });

/** Each book of each borrow; `KEPT` is the one that it was merged into, or itself. */
const booksOf = (schema: string) => `${schema}.borrow b cross join lateral jsonb_array_elements(b.books) k
    left join merged_book merged on merged.id = (k ->> 'bookId')::integer`;
const KEPT = "coalesce(merged.kept_id, (k ->> 'bookId')::integer)";

const MUCH_READ = (schema: string) => `
  select coalesce(array_agg(book_id order by readers desc, last desc, book_id desc), '{}') as books from (
    select ${KEPT} as book_id, count(distinct b.reader_id) as readers, max((k ->> 'issuedAt') collate "C") as last
    from ${booksOf(schema)}
    where (b.returned_at is null or b.returned_at >= $1::timestamptz)
      and (k ->> 'issuedAt')::timestamptz >= $1::timestamptz
    group by 1 having count(distinct b.reader_id) >= ${MIN_READERS}
    order by 2 desc, 3 desc, 1 desc limit ${SHELF_SIZE}) much`;

/**
 * The genres by what is read of them, each with its most read books. Where nobody has read anything yet, those with the most books,
 * and the newest of them. A book stands on one shelf only: in its first genre there.
 */
const BY_GENRE = `
  with ranked as materialized (
    select bg.genre_id, bg.book_id, reading_level(coalesce(r.loans, 0), r.ratings) as level
    from book_genre bg left join book_reading r on r.book_id = bg.book_id
    where bg.book_id <> all($1::integer[])
  ), genres as (
    select genre_id, row_number() over (order by sum(level) desc, count(*) desc, genre_id) as place
    from ranked group by genre_id having count(*) >= ${MIN_OF_GENRE}
    order by 2 limit ${GENRES_TRIED}
  ), standing as (
    select distinct on (r.book_id) g.place, r.genre_id, r.book_id, r.level
    from ranked r join genres g using (genre_id) order by r.book_id, g.place
  ), foremost as (
    select *, row_number() over (partition by genre_id order by level desc, book_id desc) as nth from standing
  )
  select genre_id as "genreId", array_agg(book_id order by nth) as books
  from foremost where nth <= ${SHELF_SIZE} group by genre_id, place having count(*) >= ${MIN_OF_GENRE}
  order by place limit ${GENRE_SHELVES}`;

/** The books of each reader, and nothing of who they are. Who borrowed one title alone says nothing of two. */
const BORROWED = (schema: string) => `
  select (array_agg(book_id order by last desc, book_id))[1:${TITLES_OF_READER}] as books from (
    select b.reader_id, ${KEPT} as book_id, max((k ->> 'issuedAt') collate "C") as last
    from ${booksOf(schema)}
    where k ->> 'issuedAt' is not null group by 1, 2) one
  where exists (select from book where id = one.book_id)
  group by reader_id having count(*) > 1`;

const ALSO_BORROWED = `
  insert into also_borrowed as present (book_id, others)
  select book_id, others::integer[] from unnest($1::integer[], $2::text[]) found (book_id, others)
  where exists (select from book where id = book_id)
  order by book_id
  on conflict (book_id) do update set others = excluded.others where present.others <> excluded.others`;

const ALSO_GONE = 'delete from also_borrowed where book_id <> all($1::integer[])';

/**
 * Fills, every hour, the shelves of the home page and what readers of a book also borrowed, from the rows of borrows: what was undone does
 * not count. Nothing of it names or numbers a reader.
 */
@Injectable()
class FillShelves implements OnModuleInit {
  private relatedAt: string | undefined;

  constructor(
    private readonly jobs: Jobs,
    @Inject(DATABASE) private readonly database: Database,
    private readonly readModel: ReadModelSchema,
    private readonly clock: Clock,
    private readonly timeZone: LibraryTimeZone,
  ) {}

  onModuleInit(): void {
    this.jobs.repeat('upkeep', 'fill-shelves', HOUR, () => this.fill());
  }

  /** @returns how many shelves there are, and of how many books it can be told what else their readers borrowed */
  async fill(): Promise<{ shelves: number; related: number | 'as before' }> {
    const schema = await this.readModel.toRead();
    const shelves = await this.quietly((connection) => this.fillShelves(connection, schema));
    return { shelves, related: await this.relate(schema) };
  }

  private async fillShelves(connection: Connection, schema: string): Promise<number> {
    const zone = this.timeZone.name;
    const since = startOfDay(monthBefore(localDay(this.clock.now().getTime(), zone)), zone);
    const month = await queryRow(connection, booksRow, {
      text: MUCH_READ(schema),
      values: [new Date(since)],
    });
    const read = month?.books ?? [];
    const genres = await queryRows(connection, shelfRow, { text: BY_GENRE, values: [read] });
    const shelves = [...(read.length > 0 ? [{ genreId: null, books: read }] : []), ...genres];
    await connection.query('delete from home_shelf');
    for (const [place, { genreId, books }] of shelves.entries())
      await connection.query('insert into home_shelf (place, genre_id, books) values ($1, $2, $3)', [
        place,
        genreId,
        books,
      ]);
    return shelves.length;
  }

  private async relate(schema: string): Promise<number | 'as before'> {
    const checkpoint = await queryRow(
      this.database,
      checkpointRow,
      `select commit_position::text as position from ${schema}.checkpoint`,
    );
    const at = `${schema} ${checkpoint?.position}`;
    if (at === this.relatedAt) return 'as before';
    const borrowed = await this.quietly((connection) => queryRows(connection, booksRow, BORROWED(schema)));
    const found = await alsoBorrowed(
      borrowed.map(({ books }) => books),
      OTHERS,
    );
    const books = [...found.keys()];
    await inTransaction(this.database, async (connection) => {
      await connection.query(ALSO_GONE, [books]);
      await connection.query(ALSO_BORROWED, [
        books,
        [...found.values()].map((others) => `{${others.join(',')}}`),
      ]);
    });
    this.relatedAt = at;
    return books.length;
  }

  /** On one core of the database, which takes the books of all borrows for one and would go through the catalogue for each. */
  private quietly<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return inTransaction(this.database, async (connection) => {
      await connection.query(
        `set local max_parallel_workers_per_gather = 0;
         set local jit = off;
         set local enable_nestloop = off;
         set local work_mem = '32MB'`,
      );
      return work(connection);
    });
  }
}

/** The job that fills the shelves, by itself: a worker does it, which has no catalogue. */
@Module({ providers: [FillShelves] })
export class FillShelvesModule {}
