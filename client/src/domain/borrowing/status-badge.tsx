import {
  BadgeCheck,
  BookMarked,
  BookOpen,
  BookCheck,
  CalendarX2,
  CircleAlert,
  type LucideIcon,
} from 'lucide-react';
import type { BorrowStatus } from '#contracts/borrowing/borrow-status.js';
import styles from './status-badge.module.css';

/** Each status with its word and its icon: colour alone says nothing to many people. */
const BADGES: Record<BorrowStatus, Mark> = {
  Rented: { word: 'Rented', icon: BookMarked, tone: 'rented' },
  Issued: { word: 'Issued', icon: BookOpen, tone: 'issued' },
  Returned: { word: 'Returned', icon: BookCheck, tone: 'returned' },
  Expired: { word: 'Expired', icon: CalendarX2, tone: 'expired' },
  Not_Paid: { word: 'Not paid', icon: CircleAlert, tone: 'not-paid' },
  Paid: { word: 'Paid', icon: BadgeCheck, tone: 'paid' },
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
