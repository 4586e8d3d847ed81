import { useMutation, useQueryClient } from '@tanstack/react-query';
import { readerEditSchema, type ReaderEdit } from '#contracts/accounts/account-requests.js';
import { readerSchema } from '#contracts/accounts/account-views.js';
import { request } from '../../lib/api/request.js';
import { notify } from '../../lib/notify.js';
import { queryKeys } from '../query-keys.js';

function saveReader(id: string, edit: ReaderEdit) {
  return request(readerSchema, 'User', { method: 'PUT', query: { id }, body: readerEditSchema.parse(edit) });
}

/** Saves a reader's details; the dialog says beside the toast why it could not be done. */
export function useSaveReader(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (edit: ReaderEdit) => saveReader(id, edit),
    meta: { inPlace: true },
    onError: () => notify.error('Failed to update reader'),
    onSuccess: () => {
      notify.success('Reader successfully updated');
      // The name stands in borrows as well, and the kind says what may be done with them.
      for (const queryKey of [
        queryKeys.profile(id),
        queryKeys.readers,
        queryKeys.borrows,
        queryKeys.standings,
      ])
        void client.invalidateQueries({ queryKey });
    },
  });
}
