import * as m from '#words/messages.js';
import { staffActionsOf } from '../../domain/borrowing/staff-actions.js';
import { useUser } from '../../lib/session.js';
import Keyboard from 'lucide-react/icons/keyboard';
import Printer from 'lucide-react/icons/printer';
import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import {
  DESK_COMMANDS,
  doneText,
  sendBorrowCommand,
  type DeskAction,
} from '../../domain/borrowing/borrow-commands.js';
import { titlesOf, borrowsText, heldForText, waitingBooks } from '../../domain/borrowing/borrow-texts.js';
import type { Selection } from './queue-table.js';
import { useQueryClient } from '@tanstack/react-query';
import { doneSteps, type DoneStep } from '../../domain/borrowing/done-steps.js';
import type { RemainingStep } from '../../domain/borrowing/undo-steps.js';
import { undoAction } from '../../domain/borrowing/notify-done.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { isUnclear, newKey } from '../../lib/api/use-idempotent-mutation.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

/**
 * Stays at the lower edge of the window: what can be done with the list as a whole, and beside it the place where results
 * are told, so that they cover no row.
 */
export function QueueBand({ onKeys, children }: { onKeys: () => void; children: ReactNode }) {
  return (
    <div
      // As high as a toast of two lines with its distance from the edge.
      className="sticky bottom-0 z-3 flex items-center gap-x-4 gap-y-2 min-h-22 -mx-2 p-2 pr-92 border-t border-line bg-paper to-960:pr-2"
      data-toast-band
    >
      <div className="flex-1 min-w-0 flex flex-col items-start gap-2 phone:items-stretch">{children}</div>
      <Button icon={Keyboard} size="small" look="plain" className="phone:hidden" onClick={onKeys}>
        {m.dialog_keys()}{' '}
        <kbd className="min-w-6 py-0 px-1 border border-line-strong rounded-[3px] text-ink [font:inherit] leading-[1.4] text-center">
          ?
        </kbd>
      </Button>
    </div>
  );
}

interface SelectionBarProps {
  selection: Selection;
  bulk: Bulk;
  onPrint: (rented: readonly BorrowView[]) => void;
}

/** What can be done with the rows that are selected, how far it is, and what did not go. */
export function SelectionBar({ selection, bulk, onPrint }: SelectionBarProps) {
  const { chosen, clear } = selection;
  const { run, start, forget } = bulk;
  const user = useUser();
  const readers = new Set(chosen.map(({ user }) => user.id));
  const rented = chosen.filter((borrow) => waitingBooks(borrow).length > 0);
  if (chosen.length === 0 && !run) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-1 tabular-nums"
      role="group"
      aria-label={m.queue_selected_borrows()}
    >
      <p role="status">
        {run?.running
          ? WORKING[run.action]({ done: run.answered, total: run.total })
          : chosen.length > 0 && selectedText(chosen)}
      </p>
      {readers.size === 1 &&
        DESK_COMMANDS.map(({ action, word }) => {
          const ready = chosen.filter((borrow) => staffActionsOf(borrow, user).includes(action));
          return (
            ready.length > 0 && (
              <Button
                key={action}
                size="small"
                data-bulk={action}
                busy={run?.running ?? false}
                onClick={(event) => event.detail < 2 && void start(action, ready)}
                onKeyDown={(event) => {
                  if (event.repeat) event.preventDefault();
                }}
              >
                {word} {ready.length}
              </Button>
            )
          );
        })}
      {readers.size > 1 && <p className="note">{m.queue_one_reader()}</p>}
      {rented.length > 0 && (
        <Button icon={Printer} size="small" onClick={() => onPrint(rented)}>
          {m.queue_pick_list()}
        </Button>
      )}
      {!run?.running && (
        <Button
          icon={X}
          size="small"
          look="plain"
          onClick={() => {
            forget();
            clear();
          }}
        >
          {m.queue_clear()}
        </Button>
      )}
      {run && !run.running && run.failures.length > 0 && (
        <div
          role="alert"
          className="w-full max-h-36 py-2 px-3 border-l-3 border-danger bg-danger-wash overflow-y-auto [&_ul]:pl-4"
        >
          <p>{notDone(run.action, run.failures.length, run.total)}:</p>
          <ul>
            {run.failures.map(({ borrow, reason }) => (
              <li key={borrow.id}>
                {titlesOf(borrow)}: {reason}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** How many are selected and, where they are all of one reader, of whom. */
function selectedText(chosen: readonly BorrowView[]): string {
  const { length: count } = chosen;
  const [reader = '', ...others] = new Map(chosen.map(({ user }) => [user.id, user.fullname])).values();
  return others.length > 0 ? m.list_selected({ count }) : m.queue_selected_of({ count, reader });
}

const WORKING = { issue: m.queue_issuing, return: m.queue_taking_back, undo: m.queue_undoing };

interface Failure {
  borrow: DoneStep['borrow'];
  reason: string;
}

/** The same step for several borrows of one reader, or the undoing of such a run. */
interface BulkRun {
  action: DeskAction | 'undo';
  total: number;
  /** How many were answered. */
  answered: number;
  failures: readonly Failure[];
  running: boolean;
}

interface Bulk {
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

const NOT_DONE = { issue: m.queue_not_issued, return: m.queue_not_taken_back, undo: m.queue_not_undone };

/** "1 borrow of 3 not undone" */
const notDone = (action: BulkRun['action'], count: number, total: number): string =>
  NOT_DONE[action]({ count, total });
