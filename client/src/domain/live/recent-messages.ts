import type { BorrowStatus, BorrowView } from '#contracts/borrowing/borrow-views.js';

/** A borrow as a message told it, and its status until then, where that was known. */
export interface HeardBorrow {
  borrow: BorrowView;
  before: BorrowStatus | undefined;
  /** On this machine's clock. */
  at: number;
}

/** No list is on its way for longer than this. */
const KEPT_MS = 60_000;

let heard: HeardBorrow[] = [];

/**
 * What live messages told lately. A list that was asked for before a message and answered after it knows nothing
 * of it: the message is then applied to the answer.
 */
export const recentMessages = {
  add: (message: HeardBorrow): void => {
    heard = [...heard.filter(({ at }) => message.at - at < KEPT_MS), message];
  },
  since: (time: number): readonly HeardBorrow[] => heard.filter(({ at }) => at >= time),
  forget: (): void => {
    heard = [];
  },
};
