import type { ReactNode } from 'react';
import type { BorrowView } from '#contracts/borrowing/borrow-views.js';
import { WithDays } from '../../components/with-days.js';
import { CoverStack } from '../covers/cover-stack.js';
import styles from './open-borrow-rows.module.css';
import { StatusBadge } from './status-badge.js';

/** Borrows that are not over, as a list of `OpenBorrowRow`s. */
export function OpenBorrowRows({ children }: { children: ReactNode }) {
  return (
    <ul role="list" className={styles.rows}>
      {children}
    </ul>
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
      className={styles.row}
      data-open-borrow={borrow.id}
      data-status={borrow.status}
      data-kept={kept !== undefined || undefined}
    >
      <CoverStack books={borrow.borrowedBooks} className={styles.covers} />
      <div>
        <div className={styles.titles}>{titles}</div>
        <p className={styles.when} data-late={isLate || undefined}>
          <WithDays text={when} />
        </p>
        {note !== undefined && (
          <p className="note">
            <WithDays text={note} />
          </p>
        )}
      </div>
      {kept ?? <StatusBadge status={borrow.status} />}
      <div className={styles.actions}>{actions}</div>
    </li>
  );
}
