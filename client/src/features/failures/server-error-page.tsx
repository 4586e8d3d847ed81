import * as m from '#words/messages.js';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { problemSchema, type Problem } from '#contracts/problem.js';
import { Button } from '../../components/form/button.js';
import { EmptyState } from '../../components/list/placeholders.js';
import { usePageTitle } from '../../domain/use-page-title.js';

/** Where a failure of the server leads; it shows what the server said, if it said anything. */
export function ServerErrorPage() {
  usePageTitle(m.failures_server_error());
  const problem = usePassedProblem();
  return (
    <div role="alert">
      <EmptyState
        page
        title={m.common_server_error()}
        action={<Button onClick={() => window.location.assign('/')}>{m.failures_to_home()}</Button>}
      >
        {m.failures_nothing_lost()}
      </EmptyState>
      {problem && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 max-w-136 m-auto mt-0 mb-16 px-4 text-1 wrap-anywhere">
          <dt>{m.failures_error()}</dt>
          <dd>{problem.title}</dd>
          <dt>{m.failures_details()}</dt>
          <dd>{problem.detail}</dd>
          {problem.correlationId && (
            <>
              <dt>{m.failures_reference()}</dt>
              <dd>{problem.correlationId}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  );
}

/**
 * The problem that came with the redirect. It is taken out of the history, which outlives a reload: refreshing the
 * page makes the error disappear, as the page says.
 */
function usePassedProblem(): Problem | null {
  const state = useLocation().state as unknown;
  const navigate = useNavigate();
  const passed = passedIn(state);
  const [shown, setShown] = useState(passed);
  if (passed && JSON.stringify(passed) !== JSON.stringify(shown)) setShown(passed);

  const lingers = state !== null;
  useEffect(() => {
    if (lingers) void navigate('/server-error', { replace: true, state: null });
  }, [lingers, navigate]);
  return shown;
}

function passedIn(state: unknown): Problem | null {
  const problem = problemSchema.safeParse((state as { problem?: unknown } | null)?.problem);
  return problem.success ? problem.data : null;
}
