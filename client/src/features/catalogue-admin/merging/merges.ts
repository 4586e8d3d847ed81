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
import { counted } from '../../../lib/texts.js';

const AUTHORITIES = { author: AUTHOR_CALLS, genre: GENRE_CALLS, publisher: PUBLISHER_CALLS };

interface KindTexts {
  one: string;
  many: string;
}

export const KIND_LABELS: Readonly<Record<MergeKind, KindTexts>> = {
  author: { one: 'author', many: 'authors' },
  genre: { one: 'genre', many: 'genres' },
  publisher: { one: 'publisher', many: 'publishers' },
  book: { one: 'book', many: 'books' },
};

export const REASON_LABELS: Readonly<Record<DuplicateReason, string>> = {
  spelling: 'Same but for dots, blanks, capitals or accents',
  order: 'Same words, in another order or with other initials',
  company: 'The same except for “Inc.”, “Ltd” and so on',
  plural: 'Singular and plural',
  isbn: 'One ISBN, written with 10 digits and with 13',
  title: 'Same title, author and year',
  edition: 'Same title and author, another year: perhaps editions',
};

/** How much one of them has. */
export function sizeOf({ books, copies, borrows }: Candidate): string {
  return [
    books === null ? '' : counted(books, 'book', 'books'),
    copies === null ? '' : counted(copies, 'copy', 'copies'),
    counted(borrows, 'borrow', 'borrows'),
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
      notify.success(`Merged into ${merge.kept.name}`, {
        detail:
          kind === 'book' ? namesOf(merge) : `${namesOf(merge)} · ${counted(merge.books, 'book', 'books')}`,
        action: { word: 'Undo merge', onAct: () => undo.mutate({ params: { id: merge.id } }) },
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
      notify.success('Merge undone', { detail: `${namesOf(merge)} · ${merge.kept.name}` });
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
      notify.success('Noted: not the same', {
        // Of more than two the list takes back pair by pair.
        ...(ids.length === 2 && {
          action: {
            word: 'Undo',
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
    onSuccess: () => notify.success('They may be suggested again'),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.duplicates }),
  });
}
