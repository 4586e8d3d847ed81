import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';

function deleteBooks(ids: readonly number[]) {
  return request(z.unknown(), 'Book/delete-multiple', { method: 'DELETE', body: ids });
}

/** Deletes all of these books, or none. */
export function useDeleteBooks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteBooks,
    meta: { inPlace: true },
    onSuccess: (_answer, ids) => notify.success(`${ids.length} books successfully deleted`),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.bookPages }),
  });
}
