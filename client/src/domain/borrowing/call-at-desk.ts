import {
  commandAnswerSchema,
  type BorrowView,
  type CommandAnswer,
} from '#contracts/borrowing/borrow-views.js';
import { request } from '../../lib/api/request.js';

/**
 * Asks the library for something that a librarian does with a borrow of a reader.
 * @param call its name, after `Borrow/`
 * @param idempotencyKey the same for every attempt
 */
export function callAtDesk(
  call: string,
  { id, user }: Pick<BorrowView, 'id' | 'user'>,
  body: object,
  idempotencyKey: string,
): Promise<CommandAnswer> {
  return request(commandAnswerSchema, `Borrow/${call}`, {
    method: 'POST',
    query: { borrowId: id, userId: user.id },
    body,
    idempotencyKey,
  });
}
