import type { Undoable } from '#contracts/borrowing/borrow-events.js';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';

/** What was done here, and can be undone here. */
export interface DoneStep {
  borrow: Pick<BorrowView, 'id' | 'user' | 'borrowedBooks'>;
  what: Undoable;
  /** Of a run over several borrows, which is undone as a whole: one object for all its steps. */
  run?: object;
}

/** More than anybody undoes, and more than one run has. */
const MOST = 200;
let done: readonly DoneStep[] = [];

/** The steps of this window, the last one first to be undone. */
export const doneSteps = {
  remember: (step: DoneStep): void => {
    done = [...done, step].slice(-MOST);
  },
  forget: (step: DoneStep): void => {
    done = done.filter((each) => each !== step);
  },
  /** What was done last: one step, or all of a run that can still be undone. */
  last: (): readonly DoneStep[] => {
    const last = done.at(-1);
    return done.filter((each) => each === last || (last?.run !== undefined && each.run === last.run));
  },
};
