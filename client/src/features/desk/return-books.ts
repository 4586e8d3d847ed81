import { useMutation, useQueryClient } from '@tanstack/react-query';
import { commandAnswerSchema, type BorrowView } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { useIdempotencyKey } from '../../lib/api/use-idempotency-key.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { notify } from '../../lib/notify.js';

function returnBooks({ id, user, borrowedBooks }: BorrowView, idempotencyKey: string) {
  return request(commandAnswerSchema, 'Borrow/return-books', {
    method: 'POST',
    query: { borrowId: id, userId: user.id },
    body: { bookIds: borrowedBooks.map((book) => book.bookId) },
    idempotencyKey,
  });
}

export function useReturnBooks() {
  const client = useQueryClient();
  const { keyFor, settle } = useIdempotencyKey();
  return useMutation({
    mutationFn: (borrow: BorrowView) => returnBooks(borrow, keyFor(borrow.id)),
    onSuccess: (answer) => {
      notify.success('Books returned successfully!');
      ensureFresh(client, answer);
    },
    onSettled: (_answer, error) => settle(error),
  });
}
