import { useQueryClient } from '@tanstack/react-query';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import {
  commandAnswerSchema,
  takenBackSchema,
  type BorrowView,
  type CommandAnswer,
  type TakenBack,
} from '#contracts/borrowing/borrow-views.js';
import { request, type RequestOptions } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { keptWords } from './kept-for.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { aboutBorrow, tellDone } from './tell-done.js';

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

/** With the due date that is on the screen: it is extended once, whoever sends this again. */
const renewal = ({ id, dueDate }: BorrowView) => ({
  query: { borrowId: id, ...(dueDate !== null && { dueDate }) },
});

/** Those that take no more than a button; the others have windows of their own (`drawer/drawer-actions`). */
const COMMANDS = {
  issue: {
    path: 'Borrow/issue-books',
    done: 'Books issued successfully!',
    options: atTheDesk,
  },
  return: {
    path: 'Borrow/return-books',
    done: 'Books returned successfully!',
    options: atTheDesk,
  },
  renew: {
    path: 'Borrow/renew',
    done: 'Borrow successfully renewed',
    options: renewal,
  },
  /** For a reader who asks for it at the desk or by telephone. */
  renewAtDesk: {
    path: 'Borrow/renew',
    done: 'Borrow successfully renewed',
    options: (borrow) => ({ query: { ...renewal(borrow).query, userId: borrow.user.id } }),
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
} satisfies Partial<Record<BorrowAction | 'renewAtDesk', BorrowCommand>>;

export type CommandAction = keyof typeof COMMANDS;

/** The next step with the books of a borrow, by a button: handing them out, and taking them back. */
export const DESK_COMMANDS = [
  { action: 'issue', word: 'Issue' },
  { action: 'return', word: 'Return' },
] as const;
export type DeskAction = (typeof DESK_COMMANDS)[number]['action'];

/** What is said when it is done (specification, section 8). */
export const doneWords = (action: CommandAction): string => COMMANDS[action].done;

/** The answer to a command; where books came back, with those for whom they are kept. */
export type BorrowAnswer = CommandAnswer & Partial<Pick<TakenBack, 'keptFor'>>;

/** Sends a command once. @param idempotencyKey the same for every attempt at the same command */
export function sendBorrowCommand(
  action: CommandAction,
  borrow: BorrowView,
  idempotencyKey: string,
): Promise<BorrowAnswer> {
  const { path, options }: BorrowCommand = COMMANDS[action];
  const sent = { method: 'POST' as const, ...options(borrow), idempotencyKey };
  return action === 'return' || action === 'take-back'
    ? request(takenBackSchema, path, sent)
    : request(commandAnswerSchema, path, sent);
}

/** Sends a step of a borrow, as the server allows it by `availableActions`. */
export function useBorrowCommand() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ action, borrow }: { action: CommandAction; borrow: BorrowView }) =>
      `${action} ${borrow.id} ${borrow.dueDate}`,
    send: ({ action, borrow }, idempotencyKey) => sendBorrowCommand(action, borrow, idempotencyKey),
    onSuccess: (answer, { action, borrow }) => {
      const { done } = COMMANDS[action];
      // What a librarian can take back, with a button in what is said of it.
      if (action === 'issue' || action === 'return' || action === 'take-back')
        tellDone(client, done, { borrow, what: action }, { next: keptWords(answer.keptFor, borrow) });
      else notify.success(done, { detail: aboutBorrow(borrow) });
      ensureFresh(client, answer);
    },
  });
}
