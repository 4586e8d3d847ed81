import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Nothing to show, said plainly, with the next step. */
export function EmptyState({
  title,
  page = false,
  children,
  action,
}: {
  title: string;
  /** It is all that the page has: its title is the page's heading. */
  page?: boolean;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className={styles.state}>
      <Heading className={styles.title}>{title}</Heading>
      {children && <p className={styles.text}>{children}</p>}
      {action}
    </div>
  );
}
