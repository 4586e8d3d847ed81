import { useMutation } from '@tanstack/react-query';
import {
  bookIdsBodySchema,
  commandAnswerSchema,
  type BookIdsBody,
} from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { useIdempotencyKey } from '../../lib/api/use-idempotency-key.js';

function rentBooks(body: BookIdsBody, idempotencyKey: string) {
  return request(commandAnswerSchema, 'Borrow/rent-books', {
    method: 'POST',
    body: bookIdsBodySchema.parse(body),
    idempotencyKey,
  });
}

/** Rents the books. Trying again after no clear answer cannot rent them twice. */
export function useRentBooks() {
  const { keyFor, settle } = useIdempotencyKey();
  return useMutation({
    mutationFn: (body: BookIdsBody) => rentBooks(body, keyFor(body.bookIds.join())),
    onSettled: (_answer, error) => settle(error),
  });
}
