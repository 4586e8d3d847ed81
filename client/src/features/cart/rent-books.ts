import { commandAnswerSchema, type BookIdsBody } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { isShownInCart } from './rent-refusal.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';

/** Rents the books. Trying again after no clear answer cannot rent them twice. */
export function useRentBooks() {
  return useIdempotentMutation({
    meta: { inPlace: isShownInCart },
    requestOf: ({ bookIds }: BookIdsBody) => bookIds.join(),
    send: (body, idempotencyKey) =>
      request(commandAnswerSchema, 'Borrow/rent-books', {
        method: 'POST',
        body,
        idempotencyKey,
      }),
  });
}
