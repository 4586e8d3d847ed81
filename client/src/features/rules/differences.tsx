import styles from './rules-form.module.css';
import type { Difference } from './rule-fields.js';

/** What was and what will be, rule by rule. */
export function Differences({ changes }: { changes: readonly Difference[] }) {
  return (
    <ul role="list" className={styles.differences}>
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          <span className={styles.what}>{name}</span>
          <span>
            <del>{before}</del> <span aria-hidden="true">→</span> <ins>{after}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
