import type { ReactNode } from 'react';
import { classNames } from '../../lib/class-names.js';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** What is chosen here, for who does not see it. */
  label: string;
  values: readonly Value[];
  chosen: Value;
  onChoose: (value: Value) => void;
  /** What stands on the segment of a value. */
  children: (value: Value) => ReactNode;
  className?: string | undefined;
}

/** One of a few, all of them in sight. */
export function Segments<Value extends string>({
  label,
  values,
  chosen,
  onChoose,
  children,
  className,
}: SegmentsProps<Value>) {
  return (
    <div role="group" aria-label={label} className={classNames(styles.segments, className)}>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className={styles.segment}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {children(value)}
        </button>
      ))}
    </div>
  );
}
