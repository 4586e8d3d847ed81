import { z } from 'zod';
import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import { borrowStatusSchema } from '#contracts/borrowing/borrow-status.js';
import { borrowedBookSchema, recentEventSchema } from '#contracts/borrowing/borrowed-book.js';
import { foldText } from '#contracts/fold-text.js';
import { evolveBorrow, lentBooks, reservedBooks, type Borrow } from '#circulation/borrow/borrow-state.js';

const time = z.string();

/**
 * A row of `read_model.borrow` as it is selected and written. Times are ISO 8601 in UTC, amounts grosze, large numbers
 * decimal texts.
 */
export const borrowRowSchema = z.object({
  borrow_id: z.string(),
  reader_id: z.string(),
  books: z.array(borrowedBookSchema).readonly(),
  /** The text that title searches match. */
  titles: z.string(),
  rented_at: time,
  collect_by: time,
  issued_at: time.nullable(),
  due_date: time.nullable(),
  returned_at: time.nullable(),
  expired_at: time.nullable(),
  status: borrowStatusSchema,
  charged: z.int(),
  paid: z.int(),
  waived: z.int(),
  renewals: z.int(),
  /** How many books are with the reader. */
  lent: z.int(),
  /** How many books wait at the desk. */
  reserved: z.int(),
  recent: z.array(recentEventSchema).readonly(),
  revision: z.string(),
  position: z.string(),
});
export type BorrowRow = z.output<typeof borrowRowSchema>;

/** An event with its place. */
export interface PlacedEvent {
  event: BorrowEvent;
  /** Of its stream: the reader. */
  key: string;
  revision: bigint;
  position: { commit: bigint };
}

/** An event cannot be applied. None may be skipped, so folding stops here. */
export class EventNotApplied extends Error {
  constructor(
    readonly placed: PlacedEvent,
    override readonly cause: unknown,
  ) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`The event at position ${placed.position.commit} cannot be applied: ${reason}`);
    this.name = 'EventNotApplied';
  }
}

/**
 * The row after an event: the borrow's pure fold, with the place of the event.
 * @param row the row before it, `undefined` if there is none
 * @returns nothing for an event without a row
 * @throws EventNotApplied
 */
export function projectBorrow(row: BorrowRow | undefined, placed: PlacedEvent): BorrowRow | undefined {
  try {
    const borrow = evolveBorrow(row && borrowOf(row), placed.event, Number(placed.revision));
    return borrow && rowOf(borrow, row, placed);
  } catch (error) {
    throw new EventNotApplied(placed, error);
  }
}

function borrowOf(row: BorrowRow): Borrow {
  return {
    id: row.borrow_id,
    books: row.books,
    status: row.status,
    rentedAt: row.rented_at,
    collectBy: row.collect_by,
    issuedAt: row.issued_at,
    dueDate: row.due_date,
    returnedAt: row.returned_at,
    expiredAt: row.expired_at,
    renewals: row.renewals,
    charged: row.charged,
    paid: row.paid,
    waived: row.waived,
    recent: row.recent,
  };
}

/** @param before reuses its folded titles: they do not change */
function rowOf(
  borrow: Borrow,
  before: BorrowRow | undefined,
  { key, revision, position }: PlacedEvent,
): BorrowRow {
  return {
    borrow_id: borrow.id,
    reader_id: key,
    books: borrow.books,
    titles: before?.titles ?? borrow.books.map(({ title }) => foldText(title)).join('\n'),
    rented_at: borrow.rentedAt,
    collect_by: borrow.collectBy,
    issued_at: borrow.issuedAt,
    due_date: borrow.dueDate,
    returned_at: borrow.returnedAt,
    expired_at: borrow.expiredAt,
    status: borrow.status,
    charged: borrow.charged,
    paid: borrow.paid,
    waived: borrow.waived,
    renewals: borrow.renewals,
    lent: lentBooks(borrow).length,
    reserved: reservedBooks(borrow).length,
    recent: borrow.recent,
    revision: revision.toString(),
    position: position.commit.toString(),
  };
}
