import { lazy, Suspense, useEffect } from 'react';
import { useQuestion } from '../../lib/question.js';
import { useUser } from '../../lib/session.js';

// Loaded when something is asked for the first time.
const Confirmation = lazy(async () => ({
  default: (await import('./confirmation.js')).Confirmation,
}));

/** Asks what a command needs to know before it is done, wherever in the console one is. */
export function OpenQuestion() {
  const open = useQuestion();
  const user = useUser();
  // Nobody is there any more who could say yes.
  useEffect(() => {
    if (!user) open?.settle(false);
  }, [user, open]);
  if (!open) return null;
  const { question, detail, action, refusal, overrides, settle } = open;
  return (
    <Suspense fallback={null}>
      <Confirmation
        question={question}
        action={action}
        refusal={refusal}
        {...(overrides && { overrides })}
        onConfirm={() => settle(true)}
        onDecline={() => settle(false)}
      >
        {detail}
      </Confirmation>
    </Suspense>
  );
}
