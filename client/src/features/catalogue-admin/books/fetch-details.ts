import { useMutation } from '@tanstack/react-query';
import { externalBookSchema } from '#contracts/catalogue/book-save.js';
import { request } from '../../../lib/api/request.js';

/** Looks an ISBN up at external services; the field shows when none knows it. */
export function useFetchDetails() {
  return useMutation({
    mutationFn: (isbn: string) =>
      request(externalBookSchema, 'BookExternalFetch/fetch-from-external', { query: { isbn } }),
    meta: { inPlace: true },
  });
}
