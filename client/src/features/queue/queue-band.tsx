import { Keyboard, Printer, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { Button } from '../../components/form/button.js';
import { DESK_COMMANDS } from '../../domain/borrowing/borrow-commands.js';
import { titlesOf } from '../../domain/borrowing/borrow-texts.js';
import { type Bulk, notDone } from './use-bulk.js';
import type { Selection } from './use-selection.js';

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
      <Button size="small" look="plain" className="phone:hidden" onClick={onKeys}>
        <Keyboard size={16} aria-hidden="true" />
        Keys{' '}
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
  const readers = new Set(chosen.map(({ user }) => user.id));
  const rented = chosen.filter(({ status }) => status === 'Rented');
  if (chosen.length === 0 && !run) return null;
  return (
    <div
      className="flex flex-wrap items-center gap-x-3 gap-y-2 text-1 tabular-nums"
      role="group"
      aria-label="Selected borrows"
    >
      <p role="status">
        {run?.running
          ? `${WORKING[run.action]} ${run.answered} of ${run.total} …`
          : chosen.length > 0 &&
            `${chosen.length} selected${readers.size === 1 ? `, ${chosen[0]?.user.fullname}` : ''}`}
      </p>
      {readers.size === 1 &&
        DESK_COMMANDS.map(({ action, word }) => {
          const ready = chosen.filter(({ availableActions }) => availableActions.includes(action));
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
      {readers.size > 1 && <p className="note">Issue and Return are for one reader’s borrows at a time.</p>}
      {rented.length > 0 && (
        <Button size="small" onClick={() => onPrint(rented)}>
          <Printer size={15} aria-hidden="true" />
          Pick list
        </Button>
      )}
      {!run?.running && (
        <Button
          size="small"
          look="plain"
          onClick={() => {
            forget();
            clear();
          }}
        >
          <X size={15} aria-hidden="true" />
          Clear
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

const WORKING = { issue: 'Issuing', return: 'Taking back', undo: 'Undoing' };
