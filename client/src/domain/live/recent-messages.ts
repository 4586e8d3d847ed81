import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';

/** A borrow as a message has it, and its status before that, where it was known. */
export interface BorrowMessage {
  borrow: BorrowView;
  before: BorrowStatus | undefined;
  /** On this machine's clock. */
  at: number;
}

/** No list is on its way for longer than this. */
const KEPT_MS = 60_000;

let messages: BorrowMessage[] = [];

/**
 * The live messages of the last minute. A list that was requested before a message and answered after it does not include
 * it: the message is then applied to the answer.
 */
export const recentMessages = {
  add: (message: BorrowMessage): void => {
    messages = [...messages.filter(({ at }) => message.at - at < KEPT_MS), message];
  },
  since: (time: number): readonly BorrowMessage[] => messages.filter(({ at }) => at >= time),
  forget: (): void => {
    messages = [];
  },
};
