import { ArrowRight } from 'lucide-react';
import styles from './differences.module.css';
import type { Difference } from './rule-words.js';

/** What was and what will be, rule by rule. */
export function Differences({ changes }: { changes: readonly Difference[] }) {
  return (
    <ul role="list" className={styles.differences}>
      {changes.map(({ name, before, after }) => (
        <li key={name} data-difference={name}>
          <span className={styles.name}>{name}</span>
          <span className={styles.change}>
            {before !== '' && <del>{before}</del>}
            {before !== '' && after !== '' && (
              <>
                <ArrowRight size={14} aria-hidden="true" className={styles.arrow} />
                {/* Not every font has the sign. */}
                <span className="visually-hidden"> → </span>
              </>
            )}
            {after !== '' && <ins>{after}</ins>}
          </span>
        </li>
      ))}
    </ul>
  );
}
