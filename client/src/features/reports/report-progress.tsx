import { ageInShort } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import styles from './reports-page.module.css';

interface ReportProgressProps {
  /** When it was requested, by this machine's clock. */
  since: number;
  /** How much of it is made, from 0 to 100; unknown where nobody tells. */
  percent?: number | undefined;
}

/** A file in the making: how far it is, where that is known, and how long it has taken. */
export function ReportProgress({ since, percent }: ReportProgressProps) {
  const now = useNow(true);
  return (
    <div className="w-full">
      <progress className={styles.bar} aria-label="Making the file" max={100} value={percent} />
      <p className="text-ink-soft text-1 tabular-nums mt-2">
        {percent === undefined ? 'Making the file' : `${Math.floor(percent)} %`}, {ageInShort(now - since)}
      </p>
      <p className="visually-hidden" role="status">
        Making the file. This can take up to a minute.
      </p>
    </div>
  );
}
