import type { BarEnd, StretchKind } from './bars.js';
import styles from './history-chart.module.css';

export const STRETCH_LABELS: Record<StretchKind, string> = {
  rented: 'Rented',
  issued: 'Issued',
  overdue: 'Overdue',
  unpaid: 'Fee unpaid',
  paid: 'Fee paid',
};
export const END_LABELS: Record<BarEnd, string> = {
  returned: 'Returned',
  expired: 'Expired',
  abandoned: 'Given up',
};

/** The sign at the end of a bar, around its middle. */
export const END_MARKS: Record<BarEnd, string> = {
  returned: 'M-3 0.2 L-0.8 2.4 L3.2 -2.2',
  expired: 'M-2.4 -2.4 L2.4 2.4 M2.4 -2.4 L-2.4 2.4',
  abandoned: 'M-3 0 H3',
};

/** Each kind of stretch has a pattern beside its colour: colour alone says nothing to many people. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}-rented`}
        width="6"
        height="6"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line className={styles.rented} x1="0" y1="0" x2="0" y2="6" />
      </pattern>
      <pattern
        id={`${id}-overdue`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(-45)"
      >
        <path className={styles.overdue} d="M0 0 V5 M0 0 H5" />
      </pattern>
      <pattern id={`${id}-unpaid`} width="4" height="4" patternUnits="userSpaceOnUse">
        <line className={styles.unpaid} x1="0" y1="0.5" x2="4" y2="0.5" />
      </pattern>
      <pattern id={`${id}-paid`} width="6" height="6" patternUnits="userSpaceOnUse">
        <circle className={styles.paid} cx="3" cy="3" r="0.9" />
      </pattern>
    </defs>
  );
}
