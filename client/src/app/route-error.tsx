import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { Button } from '../components/button.js';
import { EmptyState } from '../components/empty-state.js';

/** A page that broke, or whose part could not be fetched because a newer version has been installed. */
export function RouteError() {
  const error = useRouteError();
  useEffect(() => {
    window.reportError?.(error);
  }, [error]);
  return (
    <div role="alert">
      <EmptyState
        page
        title="This page could not be shown"
        action={<Button onClick={() => window.location.reload()}>Load it again</Button>}
      >
        Nothing that you did was lost. Loading the page again usually helps.
      </EmptyState>
    </div>
  );
}
