import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { libraryListSchema } from '#contracts/lists/library-lists.js';
import { addedToListSchema, ownListSchema, removedFromListSchema } from '#contracts/lists/reading-lists.js';
import { request } from '../../lib/api/request.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';
import { queryKeys } from '../query-keys.js';

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
const booksOf = ({ of, id }: ChangedList) => `${of}/${id}/books`;
const lookAgain = (client: QueryClient) => client.invalidateQueries({ queryKey: queryKeys.lists });

export function useAddToList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ list, book }: { list: ChangedList; book: NamedBook }) =>
      request(addedToListSchema, booksOf(list), { method: 'POST', body: { bookId: book.id } }),
    meta,
    onSuccess: ({ added }, { list, book }) =>
      added
        ? notify.success(`Saved to “${list.name}”`, { detail: book.title })
        : notify.info(`It is on “${list.name}” already`),
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: () => lookAgain(client),
  });
}

/** Takes a book off; what is said of it has a way to put it back where it was. */
export function useTakeOffList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ list, book }: { list: ChangedList; book: NamedBook }) =>
      request(removedFromListSchema, `${booksOf(list)}/${book.id}`, { method: 'DELETE' }),
    meta,
    onSuccess: ({ place }, { list, book }) =>
      notify.success(`Taken off “${list.name}”`, {
        detail: book.title,
        ...(place !== null && {
          action: { word: 'Undo', onAct: () => void putBack(client, list, book.id, place) },
        }),
      }),
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: () => lookAgain(client),
  });
}

async function putBack(client: QueryClient, list: ChangedList, bookId: number, place: number): Promise<void> {
  try {
    await request(addedToListSchema, booksOf(list), { method: 'POST', body: { bookId, place } });
  } catch (error) {
    notify.error(sentenceOf(error));
  } finally {
    await lookAgain(client);
  }
}

/** Gives a book its place, counted from 1. */
export function useMoveInList(list: ChangedList) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ bookId, place }: { bookId: number; place: number }): Promise<void> => {
      const answer = list.of === 'List' ? ownListSchema : libraryListSchema;
      await request(answer, `${booksOf(list)}/${bookId}`, { method: 'PUT', body: { place } });
    },
    meta,
    onError: (error) => notify.error(sentenceOf(error)),
    onSettled: () => lookAgain(client),
  });
}
