import { classNames } from '../../lib/class-names.js';
import styles from './meter.module.css';

interface MeterProps {
  value: number;
  max: number;
  /** What it measures, for who does not see it. */
  label: string;
  className?: string | undefined;
}

/** How much of a whole is reached. */
export function Meter({ value, max, label, className }: MeterProps) {
  return (
    <meter
      className={classNames(styles.meter, className)}
      min={0}
      max={Math.max(max, 1)}
      value={value}
      aria-label={label}
    />
  );
}
