import { useIsFetching, useIsMutating } from '@tanstack/react-query';
import styles from './request-indicator.module.css';

/** A thin line while something that the person waits for is on its way; fast answers never show it. */
export function RequestIndicator({ also }: { also: boolean }) {
  const asked = useIsFetching({ predicate: (query) => query.state.data === undefined });
  const done = useIsMutating();
  if (asked + done === 0 && !also) return null;
  return <div className={styles.line} role="progressbar" aria-label="Loading" />;
}
