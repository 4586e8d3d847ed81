import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { doneWords, sendBorrowCommand, type DeskAction } from '../../domain/borrowing/borrow-commands.js';
import { doneSteps } from '../../domain/borrowing/done-steps.js';
import { ensureFresh } from '../../domain/live/ensure-fresh.js';
import { isUnclear, newKey } from '../../lib/api/use-idempotent-mutation.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

interface Failure {
  borrow: BorrowView;
  reason: string;
}

/** The same step for several borrows of one reader. */
export interface BulkRun {
  action: DeskAction;
  total: number;
  /** How many were answered. */
  answered: number;
  failures: readonly Failure[];
  running: boolean;
}

/** Takes the step for one after the other; what is refused is named, and the others go on. */
export function useBulk(onDone: (id: string) => void) {
  const client = useQueryClient();
  const [run, setRun] = useState<BulkRun>();
  const running = useRef(false);
  /** One that got no clear answer keeps its key: trying again cannot do it twice. */
  const keys = useRef(new Map<string, string>());

  const start = async (action: DeskAction, borrows: readonly BorrowView[]) => {
    if (running.current) return;
    running.current = true;
    const failures: Failure[] = [];
    const tell = (answered: number, isRunning: boolean) =>
      setRun({ action, total: borrows.length, answered, failures: [...failures], running: isRunning });
    tell(0, true);
    for (const [index, borrow] of borrows.entries()) {
      const wanted = `${action} ${borrow.id}`;
      const key = keys.current.get(wanted) ?? newKey();
      keys.current.set(wanted, key);
      try {
        ensureFresh(client, await sendBorrowCommand(action, borrow, key));
        doneSteps.remember({ borrow, what: action });
        keys.current.delete(wanted);
        onDone(borrow.id);
      } catch (error) {
        if (!isUnclear(error)) keys.current.delete(wanted);
        failures.push({ borrow, reason: sentenceOf(error) });
      }
      tell(index + 1, true);
    }
    running.current = false;
    tell(borrows.length, false);
    const done = borrows.length - failures.length;
    const reader = borrows[0]?.user.fullname ?? '';
    if (done > 0) notify.success(doneWords(action), { detail: `${borrowsText(done)} · ${reader}` });
    if (failures.length === 0) setRun(undefined);
  };
  return { run, start, forget: () => !running.current && setRun(undefined) };
}

export function borrowsText(count: number): string {
  return count === 1 ? '1 borrow' : `${count} borrows`;
}
