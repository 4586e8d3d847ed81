import { useQueryClient } from '@tanstack/react-query';
import {
  commandAnswerSchema,
  type BorrowAction,
  type BorrowView,
} from '#contracts/borrowing/borrow-views.js';
import { request, type RequestOptions } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { ensureFresh } from '../live/ensure-fresh.js';

interface BorrowCommand {
  path: string;
  /** What is said when it is done. */
  done: string;
  options: (borrow: BorrowView) => Pick<RequestOptions, 'query' | 'body'>;
}

/** At the desk the librarian names the reader, and the books that change hands. */
const atTheDesk: BorrowCommand['options'] = ({ id, user, borrowedBooks }) => ({
  query: { borrowId: id, userId: user.id },
  body: { bookIds: borrowedBooks.map((book) => book.bookId) },
});

/** A payment is more than a button: it has its own dialogs. */
const COMMANDS: Record<Exclude<BorrowAction, 'pay'>, BorrowCommand> = {
  issue: { path: 'Borrow/issue-books', done: 'Books issued successfully!', options: atTheDesk },
  return: { path: 'Borrow/return-books', done: 'Books returned successfully!', options: atTheDesk },
  renew: {
    path: 'Borrow/renew',
    done: 'Borrow successfully renewed',
    options: ({ id }) => ({ query: { borrowId: id } }),
  },
};

/** A step of a borrow, as the server allows it by `availableActions`. */
export function useBorrowCommand(action: keyof typeof COMMANDS) {
  const client = useQueryClient();
  const { path, done, options } = COMMANDS[action];
  return useIdempotentMutation({
    requestOf: ({ id }: BorrowView) => id,
    send: (borrow, idempotencyKey) =>
      request(commandAnswerSchema, path, { method: 'POST', ...options(borrow), idempotencyKey }),
    onSuccess: (answer) => {
      notify.success(done);
      ensureFresh(client, answer);
    },
  });
}
