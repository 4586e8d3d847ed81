import * as m from '#words/messages.js';
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { AUTHOR_CALLS, GENRE_CALLS, PUBLISHER_CALLS } from '#contracts/catalogue/authorities.js';
import {
  allowProposal,
  markDistinct,
  type Candidate,
  type DistinctPair,
  type DuplicateReason,
} from '#contracts/catalogue/duplicate.js';
import { mergeBooks, undoMerge, type Merge, type MergeKind } from '#contracts/catalogue/merge.js';
import { invalidate, queryKeys } from '../../../domain/query-keys.js';
import { keyOf, send, useCall } from '../../../lib/api/send.js';
import { notify } from '../../../lib/notify.js';

const AUTHORITIES = { author: AUTHOR_CALLS, genre: GENRE_CALLS, publisher: PUBLISHER_CALLS };

export const REASON_LABELS: Readonly<Record<DuplicateReason, string>> = {
  spelling: m.catalogue_same_spelling(),
  order: m.catalogue_same_order(),
  company: m.catalogue_same_company(),
  plural: m.catalogue_same_plural(),
  isbn: m.catalogue_same_isbn(),
  title: m.catalogue_same_title(),
  edition: m.catalogue_same_edition(),
};

/** How much one of them has. */
export function sizeOf({ books, copies, borrows }: Candidate): string {
  return [
    books === null ? '' : m.common_books_count({ count: books }),
    copies === null ? '' : m.catalogue_copies_count({ count: copies }),
    m.common_borrows_count({ count: borrows }),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** The one that most is known of, which is the likeliest to stay. */
export function suggestedSurvivor(candidates: readonly Candidate[]): Candidate | undefined {
  const [first] = candidates.toSorted(
    (one, other) => other.borrows - one.borrows || (other.books ?? 0) - (one.books ?? 0) || one.id - other.id,
  );
  return first;
}

/** Everything that shows one of them. */
function refresh(client: QueryClient, kind: MergeKind): void {
  invalidate(client, queryKeys.duplicates, queryKeys.books, queryKeys.merges);
  if (kind !== 'book') void client.invalidateQueries({ queryKey: keyOf(AUTHORITIES[kind].read) });
}

/** Merges; why it was refused stays where it was asked. */
export function useMerge(kind: MergeKind) {
  const client = useQueryClient();
  const undo = useUndoMerge();
  return useCall(kind === 'book' ? mergeBooks : AUTHORITIES[kind].merge, {
    meta: { inPlace: true },
    onSuccess: (merge) => {
      notify.success(m.catalogue_merged_into({ name: merge.kept.name }), {
        detail:
          kind === 'book'
            ? namesOf(merge)
            : `${namesOf(merge)} · ${m.common_books_count({ count: merge.books })}`,
        action: { word: m.catalogue_undo_merge(), onAct: () => undo.mutate({ params: { id: merge.id } }) },
      });
      refresh(client, kind);
    },
  });
}

/** Undoes a merge as one; what is in the way is said in a toast. */
export function useUndoMerge() {
  const client = useQueryClient();
  return useCall(undoMerge, {
    onSuccess: (merge) => {
      notify.success(m.catalogue_merge_undone(), { detail: `${namesOf(merge)} · ${merge.kept.name}` });
      refresh(client, merge.kind);
    },
  });
}

export const namesOf = ({ merged }: Merge) => merged.map(({ name }) => name).join(', ');

/** Says of some that each is another one. */
export function useMarkDistinct(kind: MergeKind) {
  const client = useQueryClient();
  const allow = useAllowProposal();
  return useCall(markDistinct, {
    onSuccess: (_answer, { body: { ids } }) => {
      const [one = 0, other = 0] = ids;
      notify.success(m.catalogue_noted_not_same(), {
        // Of more than two the list takes back pair by pair.
        ...(ids.length === 2 && {
          action: {
            word: m.catalogue_undo(),
            onAct: () => allow.mutate({ kind, one: { id: one }, other: { id: other } }),
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
      send(allowProposal, { query: { Kind: kind, one: one.id, other: other.id } }),
    onSuccess: () => notify.success(m.catalogue_may_be_proposed()),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.duplicates }),
  });
}
