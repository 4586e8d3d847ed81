import type { CSSProperties } from 'react';
import { classNames } from '../lib/class-names.js';
import styles from './skeleton.module.css';

/** Placeholder for a text that is loading. */
export function Skeleton({ width, className }: { width: string; className?: string | undefined }) {
  const style: CSSProperties = { width };
  return <span className={classNames(styles.line, className)} style={style} aria-hidden="true" />;
}
