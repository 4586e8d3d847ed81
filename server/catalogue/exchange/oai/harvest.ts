import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { inTransaction, type Connection, type Database } from '#platform/database/database.js';
import { LOCKS } from '#platform/database/locks.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import { inSnapshot } from '#platform/database/snapshot.js';
import { DATABASE } from '#platform/tokens.js';
import { readStoredBooks, type StoredBook } from '../../marc-import/marc-books.js';

/** Records that get their time at once: more would keep whoever asks waiting, and the others have theirs from the next who asks. */
const STAMPED_AT_ONCE = 20_000;

const headRow = z.object({
  id: z.int(),
  isDeleted: z.boolean(),
  stampedAt: z.date(),
  /** Those that the library shows. */
  lists: z.array(z.uuid()),
});
/** A record, which is deleted where it has no book. */
export type HarvestedRecord = z.infer<typeof headRow> & { book?: StoredBook | undefined };

const listRow = z.object({ id: z.uuid(), name: z.string() });
const nowRow = z.object({ now: z.date(), earliest: z.date() });

/** What is asked for. */
export interface Wanted {
  id?: number | undefined;
  /** Changed from here on. */
  from?: Date | undefined;
  before?: Date | undefined;
  /** On a list that the library shows. */
  list?: string | undefined;
  /** With a higher number. */
  after?: number;
}

/** What has not been stamped has just changed, for whoever asks now. */
const STAMP = `coalesce(h.stamped_at, date_trunc('second', now()))`;
const SHOWN_LISTS = `select b.list_id from reading_list_book b join reading_list r on r.id = b.list_id
  where b.book_id = h.book_id and r.on_home`;

/** Records as they are at one moment. */
export class HarvestAsOf {
  constructor(
    private readonly connection: Connection,
    /** By the database’s clock, as the stamps are. */
    readonly now: Date,
    /** No record has an earlier stamp. */
    readonly earliest: Date,
  ) {}

  /** Those that the library shows. */
  lists(): Promise<z.infer<typeof listRow>[]> {
    const text = 'select id, name from reading_list where on_home order by position, id';
    return queryRows(this.connection, listRow, text);
  }

  /** In the order of their numbers, which no change moves: whoever asks for page after page gets each of them once. */
  async records(wanted: Wanted, limit: number, withBooks: boolean): Promise<HarvestedRecord[]> {
    const { id, from, before, list, after = 0 } = wanted;
    const heads = await queryRows(
      this.connection,
      headRow,
      `select h.book_id as id, h.is_deleted as "isDeleted", ${STAMP} as "stampedAt",
         case when h.is_deleted then h.lists else array(${SHOWN_LISTS}) end as lists
       from harvest_record h
       where h.book_id > $1
         ${id ? 'and h.book_id = $2' : 'and $2::integer is null'}
         ${from ? `and (h.stamped_at >= $3 or h.stamped_at is null and ${STAMP} >= $3)` : 'and $3::timestamptz is null'}
         and ($4::timestamptz is null or ${STAMP} < $4)
         and ($5::uuid is null or $5 = any(h.lists) or $5 in (${SHOWN_LISTS}))
       order by h.book_id limit ${limit}`,
      [after, id, from, before, list],
    );
    const ids = withBooks ? heads.filter(({ isDeleted }) => !isDeleted).map((head) => head.id) : [];
    const books = await readStoredBooks(this.connection, 'b.id = any($1::integer[])', [ids]);
    const byId = new Map(books.map((book) => [book.id, book]));
    return heads.map((head) => ({ ...head, book: byId.get(head.id) }));
  }
}

/**
 * The records for harvesters. One gets the time by which it is known when somebody first asks after its change was committed: so
 * whoever asks again for what changed since their last answer gets all that this one did not have.
 */
@Injectable()
export class Harvest {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async asOfNow<Result>(read: (harvest: HarvestAsOf) => Promise<Result>): Promise<Result> {
    await this.stamp();
    return inSnapshot(this.database, async (connection) => {
      const row = await queryRow(
        connection,
        nowRow,
        `select date_trunc('second', now()) as now,
           coalesce((select min(stamped_at) from harvest_record), date_trunc('second', now())) as earliest`,
      );
      if (!row) throw new Error('The database does not say what time it is.');
      return read(new HarvestAsOf(connection, row.now, row.earliest));
    });
  }

  /** One at a time, so that nobody reads past stamps that are not committed. What is being changed just now is left for later. */
  private async stamp(): Promise<void> {
    await inTransaction(this.database, async (connection) => {
      await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.harvest]);
      await connection.query(`
        update harvest_record set stamped_at = (
          select greatest(date_trunc('second', clock_timestamp()), max(stamped_at)) from harvest_record)
        where book_id in (
          select book_id from harvest_record where stamped_at is null limit ${STAMPED_AT_ONCE} for update skip locked)`);
    });
  }
}
