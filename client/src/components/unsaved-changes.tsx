import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { Confirmation } from './confirmation.js';

/** Asks before a page with unsaved changes is left, by a link, by Back, or by closing the tab. */
export function UnsavedChanges({ unsaved }: { unsaved: boolean }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      unsaved &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Nobody goes there who is signed in: the session has ended, and asking would change nothing.
      nextLocation.pathname !== '/login',
  );
  useEffect(() => {
    if (!unsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  if (blocker.state !== 'blocked') return null;
  return (
    <Confirmation
      question="Leave without saving?"
      action="Leave"
      refusal="Stay"
      onConfirm={() => blocker.proceed()}
      onDecline={() => blocker.reset()}
    >
      What you have changed on this page is not saved yet.
    </Confirmation>
  );
}
