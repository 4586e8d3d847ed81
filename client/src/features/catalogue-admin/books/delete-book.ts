import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';

export function useDeleteBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(z.unknown(), `Book/${id}`, { method: 'DELETE' }),
    meta: { inPlace: true },
    onSuccess: () => notify.success('Book successfully deleted'),
    // After a refusal too: the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.bookPages }),
  });
}
