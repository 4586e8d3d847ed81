import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import { COPIES_PAGE_SIZE, copyPageSchema, copySchema, type CopyView } from '#contracts/copies/copy-views.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { request } from '../../../lib/api/request.js';
import { useIdempotentMutation } from '../../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../../lib/notify.js';

/** A page of a book's copies; the previous page stays while the next one loads. */
export function useCopies(bookId: number, pageNumber: number) {
  return useQuery({
    queryKey: [...queryKeys.copies(bookId), 'page', pageNumber],
    queryFn: ({ signal }) =>
      request(copyPageSchema, `Book/${bookId}/copies`, {
        query: { pageNumber, pageSize: COPIES_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
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

/** @param known how many copies are known */
export function useAddCopy(bookId: number, known: number) {
  const client = useQueryClient();
  return useIdempotentMutation({
    // One more than those that are known: the next click wants another one.
    requestOf: () => `${bookId} ${known}`,
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
