import { useLocation } from 'react-router-dom';
import { problemSchema } from '#contracts/problem.js';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { usePageTitle } from '../../lib/use-page-title.js';
import styles from './server-error-page.module.css';

/** Where a failure of the server leads; it shows what the server said, if it said anything. */
export function ServerErrorPage() {
  usePageTitle('Server error');
  const state = useLocation().state as { problem?: unknown } | null;
  const problem = problemSchema.safeParse(state?.problem);
  return (
    <div role="alert">
      <EmptyState
        page
        title="Internal server error - refreshing the page will make the error disappear!"
        action={<Button onClick={() => window.location.assign('/')}>To the home page</Button>}
      >
        Nothing that the library had already confirmed to you was lost.
      </EmptyState>
      {problem.success && (
        <dl className={styles.details}>
          <dt>Error</dt>
          <dd>{problem.data.title}</dd>
          <dt>Details</dt>
          <dd>{problem.data.detail}</dd>
          {problem.data.correlationId && (
            <>
              <dt>Reference</dt>
              <dd>{problem.data.correlationId}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}
