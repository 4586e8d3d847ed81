import * as m from '#words/messages.js';
import type { LucideIcon } from 'lucide-react';
import BadgeCheck from 'lucide-react/icons/badge-check';
import BookMarked from 'lucide-react/icons/book-bookmark';
import BookOpen from 'lucide-react/icons/book-open';
import BookCheck from 'lucide-react/icons/book-check';
import CalendarX2 from 'lucide-react/icons/calendar-x-2';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import styles from './status-badge.module.css';

/** Each status with its word and its icon: colour alone says nothing to many people. */
const BADGES: Record<BorrowStatus, Mark> = {
  Rented: { word: m.borrow_status_rented(), icon: BookMarked, tone: 'rented' },
  Issued: { word: m.borrow_status_issued(), icon: BookOpen, tone: 'issued' },
  Returned: { word: m.borrow_status_returned(), icon: BookCheck, tone: 'returned' },
  Expired: { word: m.borrow_status_expired(), icon: CalendarX2, tone: 'expired' },
  Not_Paid: { word: m.borrow_status_not_paid(), icon: CircleAlert, tone: 'not-paid' },
  Paid: { word: m.borrow_status_paid(), icon: BadgeCheck, tone: 'paid' },
};

/** The word that a status is shown with. */
export function statusLabel(status: BorrowStatus): string {
  return BADGES[status].word;
}

export const StatusBadge = ({ status }: { status: BorrowStatus }) => <Badge {...BADGES[status]} />;

/** A state in a word and an icon. */
export interface Mark {
  word: string;
  icon: LucideIcon;
  /** One of the colours of a borrow's status. */
  tone: string;
}

export function Badge({ word, icon: Icon, tone }: Mark) {
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {word}
    </span>
  );
}
