import type { CSSProperties } from 'react';
import { classNames } from '../../lib/class-names.js';
import styles from './skeleton.module.css';

/** Placeholder for a text that is loading. */
export function Skeleton({ width, className }: { width: string; className?: string | undefined }) {
  const style: CSSProperties = { width };
  return <span className={classNames(styles.line, className)} style={style} aria-hidden="true" />;
}

interface SkeletonLinesProps {
  /** What is loading, as in "Loading the reader". */
  label: string;
  /** Of the lines, in per cent. */
  widths: readonly number[];
  className?: string | undefined;
}

/** Placeholder for several lines. */
export function SkeletonLines({ label, widths, className }: SkeletonLinesProps) {
  return (
    <div className={classNames(styles.lines, className)} role="group" aria-busy="true" aria-label={label}>
      {widths.map((width) => (
        <Skeleton key={width} width={`${width}%`} />
      ))}
    </div>
  );
}
