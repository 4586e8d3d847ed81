import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { copyListSchema, copySchema, type CopyView } from '#contracts/copies/copy-views.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { request } from '../../../lib/api/request.js';
import { useIdempotentMutation } from '../../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../../lib/notify.js';

export function useCopies(bookId: number) {
  return useQuery({
    queryKey: queryKeys.copies(bookId),
    queryFn: ({ signal }) => request(copyListSchema, `Book/${bookId}/copies`, { signal }),
    meta: { inPlace: true },
  });
}

/** One copy, with what happened to it. */
export function useCopy(bookId: number, code: string) {
  return useQuery({
    queryKey: [...queryKeys.copies(bookId), code],
    queryFn: ({ signal }) => request(copySchema, `Copy/${code}`, { signal }),
    meta: { inPlace: true },
  });
}

/** The copies, and the lists that count them. After a refusal too: the screen may be outdated. */
function refetch(client: QueryClient, bookId: number): void {
  void client.invalidateQueries({ queryKey: queryKeys.copies(bookId) });
  void client.invalidateQueries({ queryKey: queryKeys.bookPages });
}

export function useAddCopy(bookId: number) {
  const client = useQueryClient();
  const { data } = useCopies(bookId);
  return useIdempotentMutation({
    // One more than those that are shown: the next click wants another one.
    requestOf: () => `${bookId} ${data?.length ?? 0}`,
    send: (_none: void, idempotencyKey) =>
      request(copySchema, 'Copy', { method: 'POST', body: { bookId }, idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: ({ code }) => {
      notify.success(`Copy ${code} added`);
      refetch(client, bookId);
    },
    onError: () => refetch(client, bookId),
  });
}

export interface CopyEdit {
  shelfMark?: string | null;
  note?: string | null;
}

export function useEditCopy({ code, bookId }: Pick<CopyView, 'code' | 'bookId'>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CopyEdit) => request(copySchema, `Copy/${code}`, { method: 'PUT', body }),
    meta: { inPlace: true },
    onSuccess: () => notify.success(`Copy ${code} saved`),
    onSettled: () => refetch(client, bookId),
  });
}

/** What can be done with a copy that is nobody's, as the calls are named. */
export type CopyAction = 'lost' | 'damaged' | 'withdraw' | 'found';

export function useChangeCopy(bookId: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ code, action }: { code: string; action: CopyAction }) =>
      request(copySchema, `Copy/${code}/${action}`, { method: 'POST' }),
    meta: { inPlace: true },
    onSettled: () => refetch(client, bookId),
  });
}
