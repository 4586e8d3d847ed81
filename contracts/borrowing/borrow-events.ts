import { z } from 'zod';

/**
 * The events of a reader's stream `borrows-{readerId}`, in their current version. They carry ids, titles,
 * amounts and times; never a name or an address. Times are ISO 8601 in UTC and came in with the command.
 * Amounts are in grosze. A change of shape is a new version with an upcaster (`platform/event-log/upcast.ts`).
 */
const time = z.iso.datetime();
const borrowId = z.uuid();
const grosze = z.int().min(0);
const bookIds = z.array(z.int()).min(1);

export const borrowEventSchemas = {
  /** The reader rented; the copies are held for him until `collectBy`. */
  BooksRented: z.object({
    borrowId,
    readerId: z.uuid(),
    books: z.array(z.object({ bookId: z.int(), title: z.string() })).min(1),
    rentedAt: time,
    collectBy: time,
  }),
  /** A librarian handed the books over. */
  BooksIssued: z.object({ borrowId, bookIds, issuedBy: z.uuid(), issuedAt: time, dueDate: time }),
  BorrowRenewed: z.object({ borrowId, renewedBy: z.uuid(), renewedAt: time, dueDate: time }),
  /** Rented and never collected: the copies went back. */
  BorrowExpired: z.object({ borrowId, expiredAt: time }),
  /** `amount` of this charge, `total` of all charges of the borrow so far, both in grosze. */
  FineCharged: z.object({
    borrowId,
    amount: grosze,
    total: grosze,
    daysLate: z.int().min(1),
    reason: z.string(),
    chargedAt: time,
    policyVersion: z.int(),
  }),
  FinePaid: z.object({
    borrowId,
    amount: grosze,
    transactionId: z.string(),
    provider: z.string(),
    paidAt: time,
  }),
  BooksReturned: z.object({ borrowId, bookIds, returnedTo: z.uuid(), returnedAt: time }),
  /** The fence of the copy protocol: this rent was given up before `BooksRented` was stored, and never can be. */
  RentAbandoned: z.object({ borrowId, abandonedAt: time }),
} as const;

/** The `provider` of money that was handed over at the desk. The event's actor is the librarian who has it. */
export const DESK = 'desk';

export type BorrowEventType = keyof typeof borrowEventSchemas;

/** An event of the borrow domain: its type and its data. */
export type BorrowEvent = {
  [Type in BorrowEventType]: { type: Type; data: z.infer<(typeof borrowEventSchemas)[Type]> };
}[BorrowEventType];

/** The event's own time, ISO 8601 in UTC. */
export function borrowEventTime({ type, data }: BorrowEvent): string {
  switch (type) {
    case 'BooksRented':
      return data.rentedAt;
    case 'BooksIssued':
      return data.issuedAt;
    case 'BorrowRenewed':
      return data.renewedAt;
    case 'BorrowExpired':
      return data.expiredAt;
    case 'FineCharged':
      return data.chargedAt;
    case 'FinePaid':
      return data.paidAt;
    case 'BooksReturned':
      return data.returnedAt;
    case 'RentAbandoned':
      return data.abandonedAt;
  }
}

/** The version that each event type is written in today. */
export const BORROW_EVENT_VERSIONS: Record<BorrowEventType, number> = {
  BooksRented: 1,
  BooksIssued: 1,
  BorrowRenewed: 1,
  BorrowExpired: 1,
  FineCharged: 1,
  FinePaid: 1,
  BooksReturned: 1,
  RentAbandoned: 1,
};

/** What is stored beside the data of every event. `actor` is an account id, or the name of a job. */
export const eventMetadataSchema = z.object({
  actor: z.string(),
  /** One id for everything that one request set in motion. Also what the EventStoreDB projections look for. */
  $correlationId: z.string(),
  $causationId: z.string(),
  /** Names the command, so that repeating it can be recognised; derived from its idempotency key. */
  commandId: z.uuid(),
  /** A digest of what the command asked for: the same key with another request is refused. */
  commandDigest: z.string(),
  schemaVersion: z.int().min(1),
});

export type EventMetadata = z.infer<typeof eventMetadataSchema>;

export const BORROW_STREAM_PREFIX = 'borrows-';

/** The stream that holds every borrow event of a reader. */
export function borrowStream(readerId: string): string {
  return `${BORROW_STREAM_PREFIX}${readerId}`;
}

/** The reader whose stream this is. */
export function readerOfStream(stream: string): string {
  return stream.slice(BORROW_STREAM_PREFIX.length);
}
