import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ownListsSchema, ownListSchema, type ListBody } from '#contracts/lists/reading-lists.js';
import { request } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { useUser } from '../../lib/session.js';
import { queryKeys } from '../query-keys.js';

/** What is refused is said where it was asked for. */
const meta = { inPlace: true };

/** The lists of the signed-in reader; nothing is asked for a guest. @param bookId of which each says whether it is there */
export function useOwnLists(bookId?: number) {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.ownLists(bookId),
    queryFn: ({ signal }) => request(ownListsSchema, 'List/mine', { query: { bookId }, signal }),
    enabled: user !== null,
    meta,
  });
}

/** Makes a list, or changes one that has an id. */
export function useSaveOwnList() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (wanted: { id: string | null; body: ListBody }) => JSON.stringify(wanted),
    send: ({ id, body }, idempotencyKey) =>
      id === null
        ? request(ownListSchema, 'List', { method: 'POST', body, idempotencyKey })
        : request(ownListSchema, `List/${id}`, { method: 'PUT', body }),
    meta,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.lists }),
  });
}

export function useDeleteOwnList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(ownListsSchema, `List/${id}`, { method: 'DELETE' }),
    meta,
    onSuccess: (lists) => {
      client.setQueryData(queryKeys.ownLists(undefined), lists);
      void client.invalidateQueries({ queryKey: queryKeys.everyOwnLists });
    },
  });
}
