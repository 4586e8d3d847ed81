import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageAnswerSchema } from '#contracts/accounts/account-views.js';
import { request } from './api/request.js';
import { notify } from './notify.js';
import { session } from './session.js';

function endSessions(id: string) {
  return request(messageAnswerSchema, 'User/end-sessions', { method: 'POST', query: { id } });
}

/** Logs an account out on every device; why it was refused is shown in its place. */
export function useEndSessions(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => endSessions(id),
    meta: { inPlace: true },
    onSuccess: ({ message }) => {
      notify.success(message);
      // One's own is over too: the next answer says so, also where the message of it does not come.
      if (session.current()?.id === id) void client.invalidateQueries();
    },
  });
}
