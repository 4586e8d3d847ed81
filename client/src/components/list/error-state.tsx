import { sentenceOf } from '../../lib/api/request-error.js';
import { Button } from '../form/button.js';

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
    <div className="flex flex-col items-center gap-3 py-16 px-4 text-center" role="alert">
      <h2>This could not be loaded</h2>
      <p className="max-w-136 text-ink-soft mb-2">{sentenceOf(error)}</p>
      <Button onClick={onRetry} busy={retrying}>
        Retry
      </Button>
    </div>
  );
}
