import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Author } from '#contracts/catalogue/author.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';

export function useDeleteAuthor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Author) => request(z.unknown(), `Author/${id}`, { method: 'DELETE' }),
    meta: { inPlace: true },
    onSuccess: () => notify.success('Author successfully deleted'),
    // Refused too: what is on the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.authors }),
  });
}
