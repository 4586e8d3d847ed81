import type { StoredBorrowEvent } from '#platform/event-log/borrow-log.js';
import type { NotificationRequest } from '#platform/letters/notification-request.js';

/** The letter that an event asks for, if it asks for one. Its cause is the event. */
export function letterOfEvent({
  id,
  readerId,
  event,
  metadata,
}: StoredBorrowEvent): NotificationRequest | undefined {
  const data = { cause: id, accountId: readerId, borrowId: event.data.borrowId };
  const correlationId = metadata.$correlationId;
  switch (event.type) {
    case 'BooksRented':
      return { kind: 'books-rented', data, causedAt: event.data.rentedAt, correlationId };
    case 'BooksIssued':
      return { kind: 'books-issued', data, causedAt: event.data.issuedAt, correlationId };
    case 'BorrowExpired':
      return { kind: 'borrow-expired', data, causedAt: event.data.expiredAt, correlationId };
    case 'FineCharged':
      return { kind: 'fee-charged', data, causedAt: event.data.chargedAt, correlationId };
    case 'FinePaid':
      return { kind: 'fee-paid', data, causedAt: event.data.paidAt, correlationId };
    case 'BorrowRenewed':
    case 'BooksReturned':
    case 'RentAbandoned':
      return undefined;
  }
}
