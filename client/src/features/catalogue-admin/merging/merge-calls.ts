import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from '@tanstack/react-query';
import {
  candidatesSchema,
  distinctPairPageSchema,
  duplicatePageSchema,
  notTheSameAnswerSchema,
  type DistinctPair,
} from '#contracts/catalogue/duplicate.js';
import {
  mergePageSchema,
  mergeSchema,
  type Merge,
  type MergeBody,
  type MergeKind,
} from '#contracts/catalogue/merge.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { request } from '../../../lib/api/request.js';
import { useIdempotentMutation } from '../../../lib/api/use-idempotent-mutation.js';
import { notify } from '../../../lib/notify.js';
import { counted } from '../../../lib/texts.js';
import { KIND_LABELS } from './merge-labels.js';

/** What may be the same, a page at a time. @param after where the page before ended; empty for the first */
export function useDuplicates(kind: MergeKind, after: string) {
  return useQuery({
    queryKey: queryKeys.duplicatePage(kind, after),
    queryFn: ({ signal }) =>
      request(duplicatePageSchema, 'Duplicate', {
        query: { Kind: kind, ...(after !== '' && { After: after }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** Some side by side, with how much each has. */
export function useCandidates(kind: MergeKind, ids: readonly number[]) {
  return useQuery({
    queryKey: queryKeys.candidates(kind, ids),
    queryFn: ({ signal }) =>
      request(candidatesSchema, 'Duplicate/compare', { query: { Kind: kind, ids: ids.join(',') }, signal }),
    meta: { inPlace: true },
  });
}

export function useMerges(pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.merges(pageNumber),
    queryFn: ({ signal }) => request(mergePageSchema, 'Merge', { query: { pageNumber }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useDistinctPairs(pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.distinctPairs(pageNumber),
    queryFn: ({ signal }) =>
      request(distinctPairPageSchema, 'Duplicate/not-the-same', { query: { pageNumber }, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Everything that shows one of them. */
function refresh(client: QueryClient, kind: MergeKind): void {
  void client.invalidateQueries({ queryKey: queryKeys.duplicates });
  void client.invalidateQueries({ queryKey: queryKeys.books });
  if (kind !== 'book')
    void client.invalidateQueries({ queryKey: queryKeys.authorities(KIND_LABELS[kind].many) });
}

/** Merges; why it was refused stays where it was asked. */
export function useMerge(kind: MergeKind) {
  const client = useQueryClient();
  const undo = useUndoMerge();
  return useIdempotentMutation({
    requestOf: (body: MergeBody) => `${kind} ${JSON.stringify(body)}`,
    send: (body, idempotencyKey) =>
      request(mergeSchema, `${KIND_LABELS[kind].path}/merge`, { method: 'POST', body, idempotencyKey }),
    meta: { inPlace: true },
    onSuccess: (merge) => {
      notify.success(`Merged into ${merge.kept.name}`, {
        detail:
          kind === 'book' ? namesOf(merge) : `${namesOf(merge)} · ${counted(merge.books, 'book', 'books')}`,
        action: { word: 'Undo merge', onAct: () => undo.mutate(merge) },
      });
      refresh(client, kind);
    },
  });
}

/** Undoes a merge as one; what is in the way is said in a toast. */
export function useUndoMerge() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: ({ id }: Merge) => id,
    send: ({ id }, idempotencyKey) =>
      request(mergeSchema, `Merge/${id}/undo`, { method: 'POST', idempotencyKey }),
    onSuccess: (merge) => {
      notify.success('Merge undone', { detail: `${namesOf(merge)} · ${merge.kept.name}` });
      refresh(client, merge.kind);
    },
  });
}

export const namesOf = ({ merged }: Merge) => merged.map(({ name }) => name).join(', ');

/** Says of some that each is another one. */
export function useMarkDistinct(kind: MergeKind) {
  const client = useQueryClient();
  const allowProposal = useAllowProposal();
  return useMutation({
    mutationFn: (ids: readonly number[]) =>
      request(notTheSameAnswerSchema, 'Duplicate/not-the-same', { method: 'POST', body: { kind, ids } }),
    onSuccess: (_answer, ids) => {
      const [one = 0, other = 0] = ids;
      notify.success('Noted: not the same', {
        // Of more than two the list takes back pair by pair.
        ...(ids.length === 2 && {
          action: {
            word: 'Undo',
            onAct: () => allowProposal.mutate({ kind, one: { id: one }, other: { id: other } }),
          },
        }),
      });
      void client.invalidateQueries({ queryKey: queryKeys.duplicates });
    },
  });
}

type NamedPair = Pick<DistinctPair, 'kind'> & { one: { id: number }; other: { id: number } };

/** Takes that back: the two may be proposed again. */
export function useAllowProposal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ kind, one, other }: NamedPair) =>
      request(notTheSameAnswerSchema, 'Duplicate/not-the-same', {
        method: 'DELETE',
        query: { Kind: kind, one: one.id, other: other.id },
      }),
    onSuccess: () => notify.success('They may be proposed again'),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.duplicates }),
  });
}
