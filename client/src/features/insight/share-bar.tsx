import type { CSSProperties } from 'react';
import styles from './insight-page.module.css';

/** How much of the most a line has, to be seen at once; the number itself stands beside it. */
export function ShareBar({ value, most }: { value: number; most: number }) {
  const style: CSSProperties = { width: `${(100 * value) / most}%` };
  return (
    <span className={styles.bar} aria-hidden="true">
      {value > 0 && <span style={style} />}
    </span>
  );
}
