import type { BorrowEvent } from '#contracts/borrowing/borrow-events.js';
import type { BorrowStatus } from '#contracts/borrowing/borrow-views.js';
import { foldText } from '#contracts/fold-text.js';

/** A row of `read_model.borrow`. Times are ISO 8601 in UTC, amounts grosze, large numbers decimal texts. */
export interface BorrowRow {
  borrow_id: string;
  reader_id: string;
  books: { bookId: number; title: string }[];
  /** What a search for a title looks at. */
  titles: string;
  rented_at: string;
  collect_by: string;
  issued_at: string | null;
  due_date: string | null;
  returned_at: string | null;
  expired_at: string | null;
  status: BorrowStatus;
  charged: number;
  paid: number;
  renewals: number;
  revision: string;
  position: string;
}

/** An event with where it was found. */
export interface PlacedEvent {
  event: BorrowEvent;
  readerId: string;
  revision: bigint;
  position: { commit: bigint };
}

/** The log has an event that no rent came before: nothing may be skipped, so the projection stops. */
export class EventWithoutRent extends Error {
  constructor({ event, position }: PlacedEvent) {
    super(
      `${event.type} of borrow ${event.data.borrowId} at position ${position.commit} has no BooksRented before it`,
    );
    this.name = 'EventWithoutRent';
  }
}

/**
 * The row after an event.
 * @param row the row before it, `undefined` where there is none
 * @returns nothing for an event that no row shows
 * @throws EventWithoutRent
 */
export function projectBorrow(row: BorrowRow | undefined, placed: PlacedEvent): BorrowRow | undefined {
  const { event } = placed;
  const place = { revision: placed.revision.toString(), position: placed.position.commit.toString() };
  if (event.type === 'RentAbandoned') return undefined;
  if (event.type === 'BooksRented') return { ...rentedRow(event.data), ...place };
  if (!row) throw new EventWithoutRent(placed);
  return { ...row, ...changes(row, event), ...place };
}

type Rented = Extract<BorrowEvent, { type: 'BooksRented' }>['data'];

function rentedRow({
  borrowId,
  readerId,
  books,
  rentedAt,
  collectBy,
}: Rented): Omit<BorrowRow, 'revision' | 'position'> {
  return {
    borrow_id: borrowId,
    reader_id: readerId,
    books,
    titles: books.map(({ title }) => foldText(title)).join('\n'),
    rented_at: rentedAt,
    collect_by: collectBy,
    issued_at: null,
    due_date: null,
    returned_at: null,
    expired_at: null,
    status: 'Rented',
    charged: 0,
    paid: 0,
    renewals: 0,
  };
}

function changes(
  row: BorrowRow,
  event: Exclude<BorrowEvent, { type: 'BooksRented' | 'RentAbandoned' }>,
): Partial<BorrowRow> {
  switch (event.type) {
    case 'BooksIssued':
      return { status: 'Issued', issued_at: event.data.issuedAt, due_date: event.data.dueDate };
    case 'BorrowRenewed':
      return { due_date: event.data.dueDate, renewals: row.renewals + 1 };
    case 'BorrowExpired':
      return { status: 'Expired', expired_at: event.data.expiredAt };
    case 'FineCharged':
      return { status: 'Not_Paid', charged: row.charged + event.data.amount };
    case 'FinePaid': {
      const paid = row.paid + event.data.amount;
      return { paid, status: paid >= row.charged ? 'Paid' : 'Not_Paid' };
    }
    case 'BooksReturned':
      return { status: 'Returned', returned_at: event.data.returnedAt };
  }
}
