import { lazy, Suspense, useEffect } from 'react';
import * as m from '#words/messages.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { useBlocker } from '../../lib/router/use-blocker.js';

const loadConfirmation = async () => ({ default: (await import('./confirmation.js')).Confirmation });
const Confirmation = lazy(loadConfirmation);

/** Asks before a page with unsaved changes is left, by a link, by Back, or by closing the tab. */
export function UnsavedChanges({ unsaved }: { unsaved: boolean }) {
  const question = useBlocker(({ currentLocation, nextLocation }) => {
    if (!unsaved || currentLocation.pathname === nextLocation.pathname) return false;
    return !(nextLocation.state as LoginState | null)?.sessionOver;
  });
  useEffect(() => {
    if (!unsaved) return;
    // There before it is needed: the library may be away by then.
    loadConfirmation().catch(() => undefined);
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [unsaved]);
  if (!question) return null;
  return (
    <Suspense fallback={null}>
      <Confirmation
        question={m.dialog_unsaved_question()}
        action={m.dialog_leave()}
        refusal={m.dialog_stay()}
        onConfirm={question.leave}
        onDecline={question.stay}
      >
        {m.dialog_unsaved()}
      </Confirmation>
    </Suspense>
  );
}
