import {
  BookMarked,
  BookOpen,
  CircleAlert,
  LibraryBig,
  PackageX,
  SearchX,
  type LucideIcon,
} from 'lucide-react';
import type { CopyState } from '#contracts/copies/copy-views.js';
import styles from '../borrowing/status-badge.module.css';

const BADGES: Record<CopyState, { word: string; icon: LucideIcon; tone: string }> = {
  'on-shelf': { word: 'On the shelf', icon: LibraryBig, tone: 'returned' },
  rented: { word: 'Rented', icon: BookMarked, tone: 'rented' },
  lent: { word: 'Lent', icon: BookOpen, tone: 'issued' },
  lost: { word: 'Lost', icon: SearchX, tone: 'expired' },
  damaged: { word: 'Damaged', icon: CircleAlert, tone: 'not-paid' },
  withdrawn: { word: 'Withdrawn', icon: PackageX, tone: 'gone' },
};

/** Where a copy is, in a word and an icon. */
export function CopyStateBadge({ state }: { state: CopyState }) {
  const { word, icon: Icon, tone } = BADGES[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {word}
    </span>
  );
}
