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
import { classNames } from '../../lib/class-names.js';
import styles from './status-badge.module.css';

/** Each status with its word and its icon: colour alone says nothing to many people. */
const BADGES: Record<BorrowStatus, { word: string; icon: LucideIcon; look: string | undefined }> = {
  Rented: { word: 'Rented', icon: BookMarked, look: styles.rented },
  Issued: { word: 'Issued', icon: BookOpen, look: styles.issued },
  Returned: { word: 'Returned', icon: BookCheck, look: styles.returned },
  Expired: { word: 'Expired', icon: CalendarX2, look: styles.expired },
  Not_Paid: { word: 'Not paid', icon: CircleAlert, look: styles.notPaid },
  Paid: { word: 'Paid', icon: BadgeCheck, look: styles.paid },
};

/** The word that a status is shown with. */
export function statusWord(status: BorrowStatus): string {
  return BADGES[status].word;
}

export function StatusBadge({ status }: { status: BorrowStatus }) {
  const { word, icon: Icon, look } = BADGES[status];
  return (
    <span className={classNames(styles.badge, look)}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {word}
    </span>
  );
}
