import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { bookPageSchema } from '#contracts/catalogue/book-views.js';
import {
  libraryListPageSchema,
  libraryListSchema,
  libraryListsSchema,
  type LibraryListChange,
} from '#contracts/lists/library-lists.js';
import { LIST_PAGE_SIZE } from '#contracts/lists/reading-lists.js';
import { queryKeys } from '../../domain/query-keys.js';
import { request, requestFile } from '../../lib/api/request.js';
import { useIdempotentMutation } from '../../lib/api/use-idempotent-mutation.js';
import { saveFile } from '../../lib/save-file.js';

const meta = { inPlace: true };
const FOUND = 8;

export function useLibraryLists() {
  return useQuery({
    queryKey: queryKeys.libraryLists,
    queryFn: ({ signal }) => request(libraryListsSchema, 'ReadingList', { signal }),
    refetchOnMount: 'always',
    meta,
  });
}

export function useLibraryListBooks(id: string, pageNumber: number) {
  return useQuery({
    queryKey: queryKeys.libraryListPage(id, pageNumber),
    queryFn: ({ signal }) =>
      request(libraryListPageSchema, `ReadingList/${id}`, {
        query: { pageNumber, pageSize: LIST_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
}

/** Makes a list, or changes one that has an id. */
export function useSaveLibraryList() {
  const client = useQueryClient();
  return useIdempotentMutation({
    requestOf: (wanted: { id: string | null; body: LibraryListChange }) => JSON.stringify(wanted),
    send: ({ id, body }, idempotencyKey) =>
      id === null
        ? request(libraryListSchema, 'ReadingList', { method: 'POST', body, idempotencyKey })
        : request(libraryListSchema, `ReadingList/${id}`, { method: 'PUT', body }),
    meta,
    onSuccess: () => void client.invalidateQueries({ queryKey: queryKeys.lists }),
  });
}

export function useMoveLibraryList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, place }: { id: string; place: number }) =>
      request(libraryListsSchema, `ReadingList/${id}/place`, { method: 'PUT', body: { place } }),
    onSuccess: (lists) => client.setQueryData(queryKeys.libraryLists, lists),
  });
}

export function useDeleteLibraryList() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(libraryListsSchema, `ReadingList/${id}`, { method: 'DELETE' }),
    meta,
    onSuccess: (lists) => client.setQueryData(queryKeys.libraryLists, lists),
  });
}

export function useSaveListFile() {
  return useMutation({
    mutationFn: async (list: { id: string; name: string }) =>
      saveFile(await requestFile(`ReadingList/${list.id}/file`), `${list.name}.csv`),
  });
}

/** The books that may be meant by what is typed. */
export function useFoundBooks(text: string) {
  return useQuery({
    queryKey: [...queryKeys.books, 'for a list', text],
    queryFn: ({ signal }) =>
      request(bookPageSchema, 'Book', {
        query: { SearchTerm: text, pageNumber: 1, pageSize: FOUND },
        signal,
      }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    meta,
  });
}
