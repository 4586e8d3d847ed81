import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { doneText, sendBorrowCommand, type DeskAction } from '../../domain/borrowing/borrow-commands.js';
import { borrowsText, titlesOf } from '../../domain/borrowing/borrow-texts.js';
import { doneSteps, type DoneStep } from '../../domain/borrowing/done-steps.js';
import type { RemainingStep } from '../../domain/borrowing/undo-steps.js';
import { undoAction } from '../../domain/borrowing/undo-action.js';
import { heldForText } from '../../domain/borrowing/held-for.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { isUnclear, newKey } from '../../lib/api/use-idempotent-mutation.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

interface Failure {
  borrow: DoneStep['borrow'];
  reason: string;
}

/** The same step for several borrows of one reader, or the undoing of such a run. */
export interface BulkRun {
  action: DeskAction | 'undo';
  total: number;
  /** How many were answered. */
  answered: number;
  failures: readonly Failure[];
  running: boolean;
}

export interface Bulk {
  run: BulkRun | undefined;
  start: (action: DeskAction, borrows: readonly BorrowView[]) => Promise<void>;
  /** Undoes what was done here last, be it a run or one step. */
  undoLast: () => void;
  /** Takes away what is said of a run that has ended. */
  forget: () => void;
}

/** Takes the step for one after the other; what is refused is named, and the others go on. */
export function useBulk(onDone: (id: string) => void): Bulk {
  const client = useQueryClient();
  const [run, setRun] = useState<BulkRun>();
  /** The run that goes on now. */
  const going = useRef<Promise<void>>(undefined);
  /** One that got no clear answer keeps its key: trying again cannot do it twice. */
  const keys = useRef(new Map<string, string>());
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  const take = async (action: DeskAction, borrows: readonly BorrowView[]) => {
    const steps: DoneStep[] = [];
    const together = {};
    const failures: Failure[] = [];
    const kept: string[] = [];
    const tell = (answered: number, isRunning: boolean) =>
      setRun({ action, total: borrows.length, answered, failures: [...failures], running: isRunning });
    tell(0, true);
    for (const [index, borrow] of borrows.entries()) {
      const wanted = `${action} ${borrow.id}`;
      const key = keys.current.get(wanted) ?? newKey();
      keys.current.set(wanted, key);
      try {
        const answer = await sendBorrowCommand(action, borrow, key);
        ensureFresh(client, answer);
        const next = heldForText(answer.keptFor, borrow);
        if (next !== undefined)
          kept.push(borrow.borrowedBooks.length === 1 ? `${titlesOf(borrow)}: ${next}` : next);
        const step = { borrow, what: action, run: together };
        doneSteps.remember(step);
        steps.push(step);
        keys.current.delete(wanted);
        onDone(borrow.id);
      } catch (error) {
        if (!isUnclear(error)) keys.current.delete(wanted);
        failures.push({ borrow, reason: sentenceOf(error) });
      }
      tell(index + 1, true);
    }
    tell(borrows.length, false);
    const reader = borrows[0]?.user.fullname ?? '';
    if (steps.length > 0) {
      const detail = `${borrowsText(steps.length)} · ${reader}`;
      notify.success(doneText(action), {
        detail,
        ...(kept.length > 0 && { next: kept.join('; ') }),
        action: undoAction((undoing) => undo(undoing, steps)),
      });
    }
    if (failures.length === 0) setRun(undefined);
  };

  const takeBack = async ({ undoSteps }: Undoing, steps: readonly DoneStep[]) => {
    const tell = (answered: number, failures: readonly Failure[], isRunning: boolean) =>
      setRun({ action: 'undo', total: steps.length, answered, failures, running: isRunning });
    let answered = 0;
    tell(answered, [], true);
    const kept = await undoSteps(client, steps, (soFar) =>
      tell(++answered, soFar.map(failureOf), answered < steps.length),
    );
    if (kept.length === 0) setRun(undefined);
    // Whoever has left the queue meanwhile does not see what it says of them.
    else if (!isShown.current) {
      notify.error(kept.map(notUndoneWords).join(' '), notDone('undo', kept.length, steps.length));
    }
  };

  /** One run at a time: the next waits for the one before. */
  const alone = (task: () => Promise<void>): Promise<void> => {
    const mine = (going.current ?? Promise.resolve()).then(task).finally(() => {
      if (going.current === mine) going.current = undefined;
    });
    going.current = mine;
    return mine;
  };
  const undo = (undoing: Undoing, steps: readonly DoneStep[]) => alone(() => takeBack(undoing, steps));

  return {
    run,
    start: async (action, borrows) => {
      if (!going.current) await alone(() => take(action, borrows));
    },
    undoLast: () =>
      undoAction((undoing) => {
        const steps = doneSteps.last();
        return steps.length > 1 ? undo(undoing, steps) : undoing.undoLastStep(client);
      }).onAct(),
    forget: () => !going.current && setRun(undefined),
  };
}

type Undoing = typeof import('../../domain/borrowing/undo-steps.js');

const failureOf = ({ step, reason }: RemainingStep): Failure => ({ borrow: step.borrow, reason });
const notUndoneWords = ({ step, reason }: RemainingStep) => `${titlesOf(step.borrow)}: ${reason}`;

const NOT_DONE = { issue: 'not issued', return: 'not taken back', undo: 'not undone' };

/** "1 borrow of 3 not undone" */
export const notDone = (action: BulkRun['action'], count: number, total: number): string =>
  `${borrowsText(count)} of ${total} ${NOT_DONE[action]}`;
