import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageAnswerSchema, sessionViewsSchema } from '#contracts/accounts/account-views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';
import { RequestError } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

export function useSessions() {
  return useQuery({
    queryKey: queryKeys.sessions,
    queryFn: ({ signal }) => request(sessionViewsSchema, 'Account/sessions', { signal }),
    // Others begin and end elsewhere.
    staleTime: 0,
  });
}

/** Ends one session by its id, or all but this one. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (which: string) =>
      which === 'others'
        ? request(messageAnswerSchema, 'Account/sessions/end-others', { method: 'POST' })
        : request(messageAnswerSchema, `Account/sessions/${which}`, { method: 'DELETE' }).catch(endedAlready),
    meta: { inPlace: true },
    onSuccess: ({ message }) => notify.success(message),
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.sessions }),
  });
}

/** One that ended since the list was shown: it is what the person wanted. */
function endedAlready(error: unknown): { message: string } {
  if (error instanceof RequestError && error.status === 404)
    return { message: 'This session had ended already.' };
  throw error;
}
