import type { ReactNode } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { NonBreakingDates } from '../../components/display/day.js';
import { CoverStack } from '../covers/cover-stack.js';
import styles from './open-borrow-rows.module.css';
import { StatusBadge } from './status-badge.js';
import { classNames } from '../../lib/class-names.js';

/** The note that several rows have: it is said once, over them. */
export const sharedNote = (notes: readonly (string | undefined)[]) =>
  notes.find((note, at) => note !== undefined && notes.indexOf(note) !== at);

/** Borrows that are not over, as a list of `OpenBorrowRow`s. @param note of several of them */
export function OpenBorrowRows({ note, children }: { note?: string | undefined; children: ReactNode }) {
  return (
    <>
      {note !== undefined && (
        <p className="note">
          <NonBreakingDates text={note} />
        </p>
      )}
      <ul role="list" className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto_auto] gap-x-4 phone:block">
        {children}
      </ul>
    </>
  );
}

interface OpenBorrowRowProps {
  borrow: BorrowView;
  titles: ReactNode;
  /** Until when, and what is owed. */
  when: string;
  isLate: boolean;
  /** How a copy that is kept for a hold stands, in place of the rent's status: the row is loud. */
  kept?: ReactNode;
  /** Why something cannot be done. */
  note?: string | undefined;
  /** What can be done now. */
  actions: ReactNode;
}

/** A borrow that is not over: its covers, how it stands and what can be done about it. */
export function OpenBorrowRow({ borrow, titles, when, isLate, kept, note, actions }: OpenBorrowRowProps) {
  return (
    <li
      className={classNames('group/row', styles.row)}
      data-open-borrow={borrow.id}
      data-status={borrow.status}
      data-kept={kept !== undefined || undefined}
    >
      <CoverStack books={borrow.borrowedBooks} className="phone:self-start" />
      <div>
        <div className="font-serif text-3 leading-tight wrap-anywhere [&_a]:text-ink [&_a]:no-underline [&_a:hover]:underline">
          {titles}
        </div>
        <p
          className="group-data-kept/row:text-returned group-data-kept/row:font-semibold text-ink-soft text-1 tabular-nums data-late:text-not-paid data-late:font-semibold"
          data-late={isLate || undefined}
        >
          <NonBreakingDates text={when} />
        </p>
        {note !== undefined && (
          <p className="note">
            <NonBreakingDates text={note} />
          </p>
        )}
      </div>
      {kept ?? <StatusBadge status={borrow.status} />}
      <div className="flex flex-wrap items-center justify-end gap-2 max-w-72 phone:col-span-full phone:max-w-none phone:empty:hidden phone:[&>button]:flex-1">
        {actions}
      </div>
    </li>
  );
}
