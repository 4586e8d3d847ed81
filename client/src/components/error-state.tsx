import { sentenceOf } from '../lib/api/request-error.js';
import { Button } from './button.js';
import styles from './empty-state.module.css';

/** A list that could not be fetched: what happened, and a button to retry. */
export function ErrorState({
  error,
  onRetry,
  retrying,
}: {
  error: unknown;
  onRetry: () => void;
  retrying: boolean;
}) {
  return (
    <div className={styles.state} role="alert">
      <h2>This could not be loaded</h2>
      <p className={styles.text}>{sentenceOf(error)}</p>
      <Button onClick={onRetry} busy={retrying}>
        Retry
      </Button>
    </div>
  );
}
