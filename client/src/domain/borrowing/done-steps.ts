import type { BorrowView, Undoable } from '#contracts/borrowing/borrow-views.js';

/** What was done here, and can be undone here. */
export interface DoneStep {
  borrow: Pick<BorrowView, 'id' | 'user' | 'borrowedBooks'>;
  what: Undoable;
}

/** More than anybody undoes. */
const MOST = 50;
let done: readonly DoneStep[] = [];

/** The steps of this window, the last one first to be undone. */
export const doneSteps = {
  remember: (step: DoneStep): void => {
    done = [...done, step].slice(-MOST);
  },
  forget: (step: DoneStep): void => {
    done = done.filter((each) => each !== step);
  },
  last: (): DoneStep | undefined => done.at(-1),
};
