import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readerSchema, type Role } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';
import { queryKeys } from '../../domain/query-keys.js';
import { session } from '../../lib/session.js';

function saveRoles(id: string, roles: readonly Role[]) {
  return request(readerSchema, 'User/roles', { method: 'PUT', query: { id }, body: { roles } });
}

/** Gives and takes roles; why it was refused is shown beside them. */
export function useSaveRoles(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (roles: readonly Role[]) => saveRoles(id, roles),
    meta: { inPlace: true },
    onSuccess: async (reader) => {
      notify.success('Roles successfully updated');
      // One's own: without waiting for the message, and also where none comes.
      if (session.current()?.id === id) session.changeRoles(reader.roles);
      await client.invalidateQueries({ queryKey: queryKeys.readers });
    },
  });
}
