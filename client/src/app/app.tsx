import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { RouterProvider } from 'react-router-dom';
import { openLive } from '../domain/live/live-connection.js';
import { useUser } from '../lib/session.js';
import { IdentityQuestion } from './identity-question.js';
import { createAppQueryClient } from './query-client.js';
import { router } from './router.js';
import { endSession } from './session-end.js';
import { Toasts } from './toasts.js';

const queryClient = createAppQueryClient();

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <LiveSession />
      <RouterProvider router={router} />
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
    return openLive({ token, client: queryClient, onSessionEnded: endSession });
  }, [token]);
  return null;
}
