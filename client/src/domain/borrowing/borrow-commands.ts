import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import type { BorrowAction } from '#contracts/borrowing/borrow-events.js';
import * as calls from '#contracts/borrowing/borrow-calls.js';
import type { BorrowView, CommandAnswer, TakenBack } from '#contracts/borrowing/borrow-views.js';
import { send } from '../../lib/api/send.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../lib/notify.js';
import { sendBeyond } from './held-copy.js';
import { ofBorrow, heldForText } from './borrow-texts.js';
import { ensureFresh } from '../live/ensure-fresh.js';
import { aboutBorrow, notifyDone } from './notify-done.js';

/** The answer to a command; where books came back, with those for whom they are kept. */
export type BorrowAnswer = CommandAnswer & Partial<Pick<TakenBack, 'keptFor'>>;

interface BorrowCommand {
  /** What is said when it is done. */
  done: string;
  /** @param key the same for every attempt at the same command */
  send: (borrow: BorrowView, key: { idempotencyKey: string }) => Promise<BorrowAnswer>;
}

/** At the desk the librarian names the books that change hands too. */
const atTheDesk = (borrow: BorrowView) => ({
  ...ofBorrow(borrow),
  body: { bookIds: borrow.borrowedBooks.map((book) => book.bookId) },
});

/** With the due date that is on the screen: it is extended once, whoever sends this again. */
const renewal = ({ id, dueDate }: BorrowView) => ({ borrowId: id, ...(dueDate !== null && { dueDate }) });

/** Those that take no more than a button; the others have windows of their own (`drawer/borrow-drawer`). */
const COMMANDS = {
  issue: {
    done: m.common_books_issued(),
    send: (borrow, named) => {
      const { query, body } = atTheDesk(borrow);
      const issue = (more: object, key: typeof named) =>
        send(calls.issueBooks, { query, body: { ...body, ...more } }, key);
      return sendBeyond('issue', borrow.user.fullname, issue, named);
    },
  },
  return: {
    done: m.common_books_returned(),
    send: (borrow, key) => send(calls.returnBooks, atTheDesk(borrow), key),
  },
  renew: {
    done: m.borrow_renewed(),
    send: (borrow, key) => send(calls.renewBorrow, { query: renewal(borrow) }, key),
  },
  /** For a reader who asks for it at the desk or by telephone. */
  renewAtDesk: {
    done: m.borrow_renewed(),
    send: (borrow, named) => {
      const query = { ...renewal(borrow), userId: borrow.user.id };
      const renew = (more: object, key: typeof named) =>
        send(calls.renewBorrow, { query: { ...query, ...more } }, key);
      return sendBeyond('renew', borrow.user.fullname, renew, named);
    },
  },
  // Whoever looks at the borrow names its reader: themselves, or as a librarian.
  cancel: {
    done: m.borrow_rent_cancelled(),
    send: (borrow, key) => send(calls.cancelRent, ofBorrow(borrow), key),
  },
  'take-back': {
    done: m.borrow_books_taken_back(),
    send: (borrow, key) => send(calls.takeBackBooks, atTheDesk(borrow), key),
  },
} satisfies Partial<Record<BorrowAction | 'renewAtDesk', BorrowCommand>>;

export type CommandAction = keyof typeof COMMANDS;

/** The next step with the books of a borrow, by a button: handing them out, and taking them back. */
export const DESK_COMMANDS = [
  { action: 'issue', word: m.borrow_issue(), of: m.borrow_issue_of },
  { action: 'return', word: m.borrow_return(), of: m.borrow_return_of },
] as const;
export type DeskAction = (typeof DESK_COMMANDS)[number]['action'];

/** What is said when it is done (specification, section 8). */
export const doneText = (action: CommandAction): string => COMMANDS[action].done;

/** Sends a command once. @param idempotencyKey the same for every attempt at the same command */
export function sendBorrowCommand(
  action: CommandAction,
  borrow: BorrowView,
  idempotencyKey: string,
): Promise<BorrowAnswer> {
  return COMMANDS[action].send(borrow, { idempotencyKey });
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
        notifyDone(client, done, { borrow, what: action }, { next: heldForText(answer.keptFor, borrow) });
      else notify.success(done, { detail: aboutBorrow(borrow) });
      ensureFresh(client, answer);
    },
  });
}
