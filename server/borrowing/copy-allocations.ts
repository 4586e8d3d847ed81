import * as m from '#words/messages.js';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { copyCode, type CopyOfBook } from '#contracts/catalogue/copy-code.js';
import { COPY_CONDITIONS } from '#contracts/copies/copy-events.js';
import { DomainError } from '#contracts/domain-error.js';
import { BOOK_KINDS } from '#contracts/rules/kinds.js';
import type { WantedBook } from '#circulation/borrow/borrow.decider.js';
import {
  inTransaction,
  type Connection,
  type Database,
  type Queryable,
} from '#platform/database/database.js';
import { queryRow, queryRows } from '#platform/database/query-rows.js';
import type { ResolvedSettings } from '#platform/settings.js';
import { DATABASE, SETTINGS } from '#platform/tokens.js';
import { ReadModelProgress } from '../read-models/read-model-progress.js';
import { keyReused } from '../idempotency/refused-commands.js';

/** An allocation that has waited for its event longer than a rent takes. */
export interface StaleAllocation {
  borrowId: string;
  readerId: string;
  bookIds: number[];
  /** Of a return that was to be undone; else of a rent. */
  isRetaken: boolean;
}

/** A rent that may be sent again by its key. */
export interface NamedRent {
  commandId: string;
  /** Refusals of this instant and before no longer count. */
  expiredAt: Date;
}

type Rent = [borrowId: string, readerId: string, bookIds: number[], named?: NamedRent];

/** This rent was refused before, and the refusal is remembered. */
export class PreviouslyRefused extends Error {}

const takenRow = z.object({ book_id: z.int(), title: z.string(), kind: z.enum(BOOK_KINDS).nullable() });
const staleRow = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  book_ids: z.array(z.int()),
  retaken: z.boolean(),
});

const scannedRow = z.object({
  /** Null: there is no such copy. */
  title: z.string().nullable(),
  condition: z.enum(COPY_CONDITIONS),
  lent: z.boolean(),
});

const SCANNED_COPIES = `
  select b.title, coalesce(c.condition, 'present') as condition, exists (
      select from copy_allocation a where a.book_id = g.book_id and a.copy = g.copy and a.state <> 'released'
        and a.scanned and a.borrow_id <> $3) as lent
  from unnest($1::bigint[], $2::integer[]) with ordinality as g (book_id, copy, place)
  left join book b on b.id = g.book_id and g.copy <= b.copies_total + (
    select count(*) from copy x where x.book_id = b.id and x.condition <> 'present')
  left join copy c on c.book_id = g.book_id and c.copy = g.copy
  order by g.place`;

/** Copies taken off the shelf for a borrow, in PostgreSQL: prevents lending a copy twice. */
@Injectable()
export class CopyAllocations {
  private readonly takeStatement: { name: string; text: string };

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SETTINGS) { eventsInDatabase }: ResolvedSettings,
    private readonly progress: ReadModelProgress,
  ) {
    // The allocation need not be on disk before its event. If both share one write-ahead log, the event's commit
    // flushes the allocation too. With a separate event store, it could be lost while the event is kept.
    const relaxed = eventsInDatabase ? `set_config('synchronous_commit', 'off', true), ` : '';
    this.takeStatement = {
      name: 'take-copies',
      text: `select t.book_id, t.title, (select b.kind from book b where b.id = t.book_id) as kind
             from ${relaxed}take_copies($1, $2, $3::integer[], $4, $5) t`,
    };
  }

  /**
   * Takes one copy of each book, or none at all. Attempts at the same rent share its copies. What came back a moment ago is on
   * the shelf once the rows say so: that none is left is said of rows that have all that the log had.
   * @param named where the rent was named by a key; it is then admitted (`RefusedCommands.admit`) by the same statement
   * @returns the books with their titles and kinds, in the order asked for
   * @throws DomainError BookNotFound, CopiesUnavailable (naming the titles), RentAbandoned, IdempotencyKeyReused
   * @throws PreviouslyRefused
   */
  async take(...rent: Rent): Promise<WantedBook[]> {
    const seen = this.progress.position;
    try {
      return await this.takeFromRows(...rent);
    } catch (error) {
      const isOut = error instanceof DomainError && error.code === 'CopiesUnavailable';
      if (!isOut || !(await this.progress.hasMovedOn(seen))) throw error;
      return this.takeFromRows(...rent);
    }
  }

  private async takeFromRows(...[borrowId, readerId, bookIds, named]: Rent): Promise<WantedBook[]> {
    try {
      const rows = await queryRows(this.database, takenRow, {
        ...this.takeStatement,
        values: [borrowId, readerId, bookIds, named?.commandId ?? null, named?.expiredAt ?? null],
      });
      const taken = new Map(rows.map((row) => [row.book_id, row]));
      return bookIds.map((bookId) => {
        const { title = '', kind } = taken.get(bookId) ?? {};
        return { bookId, title, ...(kind && kind !== BOOK_KINDS[0] && { kind }) };
      });
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Returns the copies of a refused rent to the shelf. Idempotent; those of a stored rent stay where they are. */
  async giveUp(borrowId: string): Promise<void> {
    await this.database.query({
      name: 'give-up-copies',
      text: 'select give_up_copies($1)',
      values: [borrowId],
    });
  }

  /** Whether an attempt at the rent has ever taken copies, and not given them up. */
  async isTaken(borrowId: string, connection: Queryable): Promise<boolean> {
    const text = 'select 1 from copy_allocation where borrow_id = $1 limit 1';
    return (await connection.query(text, [borrowId])).rowCount === 1;
  }

  /**
   * Takes copies that came back off the shelf again, all of them or none: their return is to be undone.
   * @returns the titles of which no copy is left; then nothing was taken
   * @throws DomainError ConcurrentChange where the projection has not put them back yet
   */
  async retake(borrowId: string, bookIds: readonly number[]): Promise<string[]> {
    try {
      return await inTransaction(this.database, async (connection) => {
        const gone = await goneBooks(connection, bookIds);
        if (gone.length > 0) return gone;
        const row = await queryRow(
          connection,
          z.object({ missing: z.array(z.string()) }),
          'select retake_copies($1, $2::integer[]) as missing',
          [borrowId, bookIds],
        );
        return row?.missing ?? [];
      });
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Whether the copy that a borrow had of a book, and that was found, is in other hands or out of service by now. */
  async hasGoneOn(borrowId: string, bookId: number): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `select from copy_allocation a left join copy c on c.book_id = a.book_id and c.copy = a.copy
       where a.borrow_id = $1 and a.book_id = $2 and coalesce(c.condition, 'present') <> 'lost'
         and (not is_free_copy(a.book_id, a.copy) or not exists (select from book b where b.id = a.book_id))`,
      [borrowId, bookId],
    );
    return rowCount === 1;
  }

  /** Whether the copy that a borrow had of a book is still as gone as it was said to be. */
  async isStillGone(borrowId: string, bookId: number): Promise<boolean> {
    const { rowCount } = await this.database.query(
      `select from copy_allocation a join copy c on c.book_id = a.book_id and c.copy = a.copy
       where a.borrow_id = $1 and a.book_id = $2 and c.condition in ('lost', 'damaged')`,
      [borrowId, bookId],
    );
    return rowCount === 1;
  }

  /**
   * Why scanned copies cannot be those of a borrow, by rows that have all that this process stored. It is looked up
   * beforehand: where two desks scan one copy at once, the projection lets the later one have it.
   * @param copies in the order in which they were scanned
   * @param mayBeOut for copies that are brought: then they only have to exist
   * @returns the first refusal: CopyNotFound, CopyOutOfService, CopyNotOnShelf
   */
  async refusalOf(
    copies: readonly CopyOfBook[],
    borrowId: string,
    { mayBeOut }: { mayBeOut: boolean },
  ): Promise<DomainError | undefined> {
    if (copies.length === 0) return undefined;
    await this.progress.current();
    const rows = await queryRows(this.database, scannedRow, {
      name: 'scanned-copies',
      text: SCANNED_COPIES,
      values: [copies.map(({ bookId }) => bookId), copies.map(({ copy }) => copy), borrowId],
    });
    for (const [n, row] of rows.entries()) {
      const copy = copies[n];
      const refusal = copy && refusalOfCopy(copyCode(copy), row, mayBeOut);
      if (refusal) return refusal;
    }
    return undefined;
  }

  /** Whether a borrow has a copy of a book, or one is on the shelf for it. */
  async canBeTaken(borrowId: string, bookId: number): Promise<boolean> {
    await this.progress.current();
    const { rowCount } = await this.database.query(
      `select from copy_allocation where borrow_id = $1 and book_id = $2 and state <> 'released'
       union all select from book where id = $2 and copies_available > 0`,
      [borrowId, bookId],
    );
    return rowCount !== 0;
  }

  /** The titles of a borrow for which somebody waits. */
  async waitedFor(borrowId: string): Promise<string[]> {
    const rows = await queryRows(this.database, z.object({ title: z.string() }), {
      name: 'titles-waited-for',
      text: `select b.title from copy_allocation a join book b on b.id = a.book_id
             where a.borrow_id = $1 and a.state <> 'released' and b.holds > 0
               and exists (select from hold h where h.book_id = b.id and h.state = 'waiting') order by b.id`,
      values: [borrowId],
    });
    return rows.map(({ title }) => title);
  }

  /** For an allocation whose event was stored after all. The projection does the same when it gets there. */
  async confirm(borrowId: string, bookIds: readonly number[]): Promise<void> {
    await this.database.query(
      `update copy_allocation set state = 'confirmed'
       where borrow_id = $1 and book_id = any($2::integer[]) and state = 'pending'`,
      [borrowId, bookIds],
    );
  }

  /** @param olderThan seconds */
  async stale(olderThan: number): Promise<StaleAllocation[]> {
    const rows = await queryRows(
      this.database,
      staleRow,
      `select borrow_id, reader_id, array_agg(book_id order by book_id) as book_ids, retaken from copy_allocation
       where state = 'pending' and taken_at < now() - make_interval(secs => $1)
         -- What is bound to a hold is its keeper's: no rent broke off.
         and not exists (select from hold h where h.borrow_id = copy_allocation.borrow_id and h.state = 'bound')
       group by borrow_id, reader_id, retaken limit 500`,
      [olderThan],
    );
    return rows.map(({ borrow_id, reader_id, book_ids, retaken }) => ({
      ...{ borrowId: borrow_id, readerId: reader_id },
      ...{ bookIds: book_ids, isRetaken: retaken },
    }));
  }
}

/** What those are called that were deleted or merged into another book. The others cannot go until the transaction ends. */
async function goneBooks(connection: Connection, bookIds: readonly number[]): Promise<string[]> {
  const present = await queryRows(
    connection,
    z.object({ id: z.int() }),
    'select id from book where id = any($1::integer[]) order by id for no key update',
    [bookIds],
  );
  const there = new Set(present.map(({ id }) => id));
  const gone = bookIds.filter((id) => !there.has(id));
  if (gone.length === 0) return [];
  const named = await queryRows(
    connection,
    z.object({ id: z.int(), name: z.string() }),
    `select distinct on (r.id) r.id, r.name from merged_record r
     join catalogue_merge m on m.id = r.merge_id and m.kind = 'book'
     where r.id = any($1::integer[]) order by r.id, m.merged_at desc`,
    [gone],
  );
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return gone.map((id) => names.get(id) ?? m.borrow_book_number({ id }));
}

/** The function's own error codes (see the migrations of the copy protocol and of the refused commands). */
function refusal(error: unknown): unknown {
  const { code = '', detail } = error as { code?: string; detail?: string };
  switch (code) {
    case 'LB001':
      return new DomainError('BookNotFound', m.borrow_refused_book_gone());
    case 'LB002': {
      const titles = (detail ?? '').split('\n').map((title) => m.fees_title({ title }));
      return new DomainError('CopiesUnavailable', m.borrow_refused_no_copies({ titles: titles.join(', ') }));
    }
    case 'LB003':
      return new DomainError('RentAbandoned', m.borrow_refused_abandoned());
    case 'LB005':
      return new PreviouslyRefused();
    case 'LB006':
      return keyReused();
    case 'LB007':
      return new DomainError('ConcurrentChange', m.borrow_refused_being_taken_back());
    default:
      return error;
  }
}

function refusalOfCopy(
  code: string,
  { title, condition, lent }: z.output<typeof scannedRow>,
  mayBeOut: boolean,
): DomainError | undefined {
  if (title === null) return new DomainError('CopyNotFound', m.borrow_copy_unknown({ code }));
  if (mayBeOut) return undefined;
  if (condition !== 'present')
    return new DomainError('CopyOutOfService', m.borrow_copy_out_of_service({ code, title, condition }));
  if (!lent) return undefined;
  return new DomainError('CopyNotOnShelf', m.borrow_copy_lent({ code, title }));
}
