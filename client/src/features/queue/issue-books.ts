import { useMutation, useQueryClient } from '@tanstack/react-query';
import { commandAnswerSchema, type BorrowView } from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';
import { useIntentKey } from '../../lib/api/use-intent-key.js';
import { assureShown } from '../../lib/live/assure-shown.js';
import { notify } from '../../lib/notify.js';

function issueBooks({ id, user, borrowedBooks }: BorrowView, idempotencyKey: string) {
  return request(commandAnswerSchema, 'Borrow/issue-books', {
    method: 'POST',
    query: { borrowId: id, userId: user.id },
    body: { bookIds: borrowedBooks.map((book) => book.bookId) },
    idempotencyKey,
  });
}

export function useIssueBooks() {
  const client = useQueryClient();
  const { keyFor, settle } = useIntentKey();
  return useMutation({
    mutationFn: (borrow: BorrowView) => issueBooks(borrow, keyFor(borrow.id)),
    onSuccess: (answer) => {
      notify.success('Books issued successfully!');
      assureShown(client, answer);
    },
    onSettled: (_answer, error) => settle(error),
  });
}
