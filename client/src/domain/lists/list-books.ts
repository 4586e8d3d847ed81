import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { LIBRARY_LIST_BOOKS } from '#contracts/lists/library-lists.js';
import { OWN_LIST_BOOKS } from '#contracts/lists/reading-lists.js';
import * as m from '#words/messages.js';
import { send } from '../../lib/api/send.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

/** A list whose books are changed: the reader's own, or one of the library's. */
export interface ChangedList {
  of: 'List' | 'ReadingList';
  id: string;
  name: string;
}

interface NamedBook {
  id: number;
  title: string;
}

const meta = { inPlace: true };
const CALLS = { List: OWN_LIST_BOOKS, ReadingList: LIBRARY_LIST_BOOKS };
const lookAgain = (client: QueryClient, { of }: ChangedList) => client.invalidateQueries({ queryKey: [of] });

export function useAddToList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ list, book }: { list: ChangedList; book: NamedBook }) =>
      send(CALLS[list.of].add, { params: { id: list.id }, body: { bookId: book.id } }),
    meta,
    onSuccess: ({ added }, { list, book }) =>
      added
        ? notify.success(m.lists_saved_to({ name: list.name }), { detail: book.title })
        : notify.info(m.lists_already_on({ name: list.name })),
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: (_answer, _error, { list }) => lookAgain(client, list),
  });
}

/** Takes a book off; what is said of it has a way to put it back where it was. */
export function useTakeOffList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ list, book }: { list: ChangedList; book: NamedBook }) =>
      send(CALLS[list.of].remove, { params: { id: list.id, bookId: book.id } }),
    meta,
    onSuccess: ({ place }, { list, book }) =>
      notify.success(m.lists_removed_from({ name: list.name }), {
        detail: book.title,
        ...(place !== null && {
          action: { word: m.common_undo(), onAct: () => void putBack(client, list, book.id, place) },
        }),
      }),
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: (_answer, _error, { list }) => lookAgain(client, list),
  });
}

async function putBack(client: QueryClient, list: ChangedList, bookId: number, place: number): Promise<void> {
  try {
    await send(CALLS[list.of].add, { params: { id: list.id }, body: { bookId, place } });
  } catch (error) {
    notify.error(sentenceOf(error));
  } finally {
    await lookAgain(client, list);
  }
}

/** Gives a book its place, counted from 1. */
export function useMoveInList(list: ChangedList) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ bookId, place }: { bookId: number; place: number }): Promise<unknown> =>
      send(CALLS[list.of].move, { params: { id: list.id, bookId }, body: { place } }),
    meta,
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: () => lookAgain(client, list),
  });
}
