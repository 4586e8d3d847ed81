import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import * as m from '#words/messages.js';
import { loadToasts } from '../lib/notify.js';
import { RouterProvider } from '../lib/router/router-provider.js';
import { useUser } from '../lib/session.js';
import { whenIdle } from '../lib/when-idle.js';
import { createAppQueryClient } from './query-client.js';
import { router } from './router.js';
import { endSession } from './session-end.js';
import { useIdentityQuestion } from '../lib/identity.js';

const queryClient = createAppQueryClient();

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LiveSession />
      <RouterProvider router={router} fallback={<LoadingScreen />} />
      <IdentityQuestion />
      <Toasts />
    </QueryClientProvider>
  );
}

/** One live connection while somebody is signed in. */
function LiveSession() {
  const token = useUser()?.token;
  useEffect(() => {
    if (token === undefined) return;
    return whenLoaded(
      () => import('../domain/live/live-connection.js'),
      ({ openLive }) => openLive({ token, client: queryClient, onSessionEnded: endSession }),
    );
  }, [token]);
  return null;
}

/** Begins something that no page waits for, with code of its own. @returns a function that ends it, or keeps it from beginning */
function whenLoaded<Code>(load: () => Promise<Code>, begin: (code: Code) => () => void): () => void {
  let isOver = false;
  let end: () => void = () => undefined;
  const cancel = whenIdle(() => {
    load().then(
      (code) => {
        if (!isOver) end = begin(code);
      },
      (error: unknown) => window.reportError?.(error),
    );
  });
  return () => {
    isOver = true;
    cancel();
    end();
  };
}

const ToastCorner = lazy(async () => ({ default: (await loadToasts()).ToastCorner }));

/** What is said before the corner is there is shown when it is. */
function Toasts() {
  const [isDue, setDue] = useState(false);
  useEffect(() => whenIdle(() => setDue(true)), []);
  return <Suspense fallback={null}>{isDue && <ToastCorner />}</Suspense>;
}

/** Shown until the first page is there; the same as in `index.html`, so that nothing moves between the two. */
function LoadingScreen() {
  return (
    <div className="loading-screen" role="status">
      <span className="loading-mark" aria-hidden="true" />
      <span>{m.site_loading()}</span>
    </div>
  );
}

// Loaded when it is asked for the first time: most people never see it.
const ConfirmDialog = lazy(async () => ({
  default: (await import('../domain/identity/confirm-dialog.js')).ConfirmDialog,
}));

/** Asks the person to prove again who they are, as soon as a call needs it. */
function IdentityQuestion() {
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
