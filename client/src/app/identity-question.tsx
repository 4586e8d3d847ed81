import { lazy, Suspense, useEffect } from 'react';
import { useIdentityQuestion } from '../lib/identity.js';
import { useUser } from '../lib/session.js';

// Loaded when it is asked for the first time: most people never see it.
const ConfirmDialog = lazy(async () => ({
  default: (await import('../domain/identity/confirm-dialog.js')).ConfirmDialog,
}));

/** Asks the person to prove again who they are, as soon as a call needs it. */
export function IdentityQuestion() {
  const question = useIdentityQuestion();
  const user = useUser();
  // A session that ended meanwhile cannot be confirmed any more.
  useEffect(() => {
    if (!user) question?.settle(false);
  }, [user, question]);
  if (!question) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog onDone={question.settle} />
    </Suspense>
  );
}
