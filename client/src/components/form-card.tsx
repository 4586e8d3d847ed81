import type { ReactNode } from 'react';
import styles from './form-card.module.css';

/** A narrow page around one form or one message. */
export function FormCard({
  title,
  lead,
  children,
}: {
  title: string;
  lead?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className={styles.page}>
      <div className={styles.card}>
        <h1 className={styles.title}>{title}</h1>
        {lead && <p className="quiet">{lead}</p>}
        {children}
      </div>
    </div>
  );
}
