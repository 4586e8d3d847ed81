import { useQueryClient } from '@tanstack/react-query';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import { commandAnswerSchema, type BorrowView } from '#contracts/borrowing/borrow-views.js';
import { request, type RequestOptions } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { ensureFresh } from '../live/ensure-fresh.js';

interface BorrowCommand {
  path: string;
  /** Its button at the desk; none where the action is not the librarian's. */
  desk?: { word: string; look: 'primary' | 'plain' };
  /** What is said when it is done. */
  done: string;
  options: (borrow: BorrowView) => Pick<RequestOptions, 'query' | 'body'>;
}

/** At the desk the librarian names the reader, and the books that change hands. */
const atTheDesk: BorrowCommand['options'] = ({ id, user, borrowedBooks }) => ({
  query: { borrowId: id, userId: user.id },
  body: { bookIds: borrowedBooks.map((book) => book.bookId) },
});

/** A payment is more than a button, and so is a waiver: they have their own dialogs. */
const COMMANDS: Record<Exclude<BorrowAction, 'pay' | 'waive'>, BorrowCommand> = {
  issue: {
    path: 'Borrow/issue-books',
    desk: { word: 'Issue', look: 'primary' },
    done: 'Books issued successfully!',
    options: atTheDesk,
  },
  return: {
    path: 'Borrow/return-books',
    desk: { word: 'Return', look: 'primary' },
    done: 'Books returned successfully!',
    options: atTheDesk,
  },
  renew: {
    path: 'Borrow/renew',
    done: 'Borrow successfully renewed',
    // With the due date that the reader sees: it is extended once, whoever sends this again.
    options: ({ id, dueDate }) => ({ query: { borrowId: id, ...(dueDate !== null && { dueDate }) } }),
  },
  // Whoever looks at the borrow names its reader: he himself, or a librarian.
  cancel: {
    path: 'Borrow/cancel-rent',
    done: 'Rent successfully cancelled',
    options: ({ id, user }) => ({ query: { borrowId: id, userId: user.id } }),
  },
  'take-back': {
    path: 'Borrow/take-back-books',
    done: 'Books taken back successfully!',
    options: atTheDesk,
  },
};

type CommandAction = keyof typeof COMMANDS;

/** The commands that a librarian gives by a button, as the table has them. */
export const DESK_COMMANDS = (Object.keys(COMMANDS) as CommandAction[]).flatMap((action) => {
  const { desk } = COMMANDS[action];
  return desk ? [{ action, ...desk }] : [];
});

/** Sends a step of a borrow, as the server allows it by `availableActions`. */
export function useBorrowCommand() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ action, borrow }: { action: CommandAction; borrow: BorrowView }) =>
      `${action} ${borrow.id} ${borrow.dueDate}`,
    send: ({ action, borrow }, idempotencyKey) => {
      const { path, options } = COMMANDS[action];
      return request(commandAnswerSchema, path, { method: 'POST', ...options(borrow), idempotencyKey });
    },
    onSuccess: (answer, { action }) => {
      notify.success(COMMANDS[action].done);
      ensureFresh(client, answer);
    },
  });
}
