import { BookmarkCheck, Hourglass, Pause, type LucideIcon } from 'lucide-react';
import type { HoldView } from '#contracts/holds/hold-views.js';
import styles from '../borrowing/status-badge.module.css';

const BADGES: Record<HoldView['state'], { icon: LucideIcon; tone: string }> = {
  Waiting: { icon: Hourglass, tone: 'rented' },
  Paused: { icon: Pause, tone: 'issued' },
  Ready: { icon: BookmarkCheck, tone: 'returned' },
};

/** How a hold stands, in a word and an icon. */
export function HoldBadge({ state }: { state: HoldView['state'] }) {
  const { icon: Icon, tone } = BADGES[state];
  return (
    <span className={styles.badge} data-tone={tone}>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      {state}
    </span>
  );
}
