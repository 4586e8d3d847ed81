import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import type { Publisher } from '#contracts/catalogue/publisher.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';

export function useDeletePublisher() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Publisher) => request(z.unknown(), `Publisher/${id}`, { method: 'DELETE' }),
    meta: { inPlace: true },
    onSuccess: () => notify.success('Publisher successfully deleted'),
    // Refused too: what is on the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.publishers }),
  });
}
