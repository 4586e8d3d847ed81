import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  LIST_PAGE_SIZE,
  ownListPageSchema,
  ownListSchema,
  sharedLinkSchema,
} from '#contracts/lists/reading-lists.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request } from '../../lib/api/request.js';

const meta = { inPlace: true };

export function useOwnListPage(id: string, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.ownListPage(id, pageNumber),
    queryFn: ({ signal }) =>
      request(ownListPageSchema, `List/${id}`, { query: { pageNumber, pageSize: LIST_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** Makes a link to the list; one that was made before ends. */
export function useShareList(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(sharedLinkSchema, `List/${id}/share`, { method: 'POST' }),
    meta,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.lists }),
  });
}

export function useEndShare(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(ownListSchema, `List/${id}/share`, { method: 'DELETE' }),
    meta,
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.lists }),
  });
}
