import { useMutation } from '@tanstack/react-query';
import { externalBookSchema } from '#contracts/catalogue/book-save.js';
import { request } from '../../../lib/api/request.js';

/** What the world knows of an ISBN; a miss is told beside the field. */
export function useFetchDetails() {
  return useMutation({
    mutationFn: (isbn: string) =>
      request(externalBookSchema, 'BookExternalFetch/fetch-from-external', { query: { isbn } }),
    meta: { inPlace: true },
  });
}
