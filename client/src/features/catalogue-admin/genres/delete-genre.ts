import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Genre } from '#contracts/catalogue/genre.js';
import { request } from '../../../lib/api/request.js';
import { labels } from '../../../domain/labels.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';

export function useDeleteGenre() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Genre) => request(z.unknown(), 'Genre', { method: 'DELETE', query: { id } }),
    meta: { inPlace: true },
    onSuccess: () => notify.success(labels.genreDeleted),
    // Refused too: what is on the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.genres }),
  });
}
