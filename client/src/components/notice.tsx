import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** Something that a form has to say as a whole; it is read out when it appears. */
export function Notice({
  look = 'refusal',
  action,
  children,
}: {
  look?: 'refusal' | 'news';
  /** What can be done about it. */
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.notice} data-look={look} role={look === 'refusal' ? 'alert' : 'status'}>
      <p>{children}</p>
      {action}
    </div>
  );
}
