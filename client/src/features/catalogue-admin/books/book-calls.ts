import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { externalBookSchema, savedBookSchema } from '#contracts/catalogue/book-save.js';
import { bookSchema } from '#contracts/catalogue/book-views.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { type BookToSave, formDataOf } from './book-form-values.js';

export const getBook = (id: number, signal?: AbortSignal) =>
  request(bookSchema, `Book/${id}`, signal ? { signal } : {});

/** The book as it is when the form opens: what was seen of it before may be outdated. */
export function useBookToEdit(id: number) {
  return useQuery({
    queryKey: queryKeys.book(id),
    queryFn: ({ signal }) => getBook(id, signal),
    refetchOnMount: 'always',
    // Where the page of the book was open before, a miss counts as a refresh that failed: the form handles it.
    meta: { inPlace: true },
  });
}

function saveBook(book: BookToSave) {
  const body = formDataOf(book);
  return book.edited
    ? request(savedBookSchema, `Book/${book.edited.id}`, { method: 'PUT', body })
    : request(savedBookSchema, 'Book', { method: 'POST', body });
}

/** Adds or updates a book; why it failed stays on the form (specification, section 8). */
export function useSaveBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: saveBook,
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? 'Book successfully updated' : 'Book successfully added');
      void client.invalidateQueries({ queryKey: queryKeys.books });
    },
  });
}

export function useDeleteBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => request(z.unknown(), `Book/${id}`, { method: 'DELETE' }),
    meta: { inPlace: true },
    onSuccess: () => notify.success('Book successfully deleted'),
    // After a refusal too: the screen may be outdated.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.bookPages }),
  });
}

function deleteBooks(ids: readonly number[]) {
  return request(z.unknown(), 'Book/delete-multiple', { method: 'DELETE', body: ids });
}

/** Deletes all of these books, or none. */
export function useDeleteBooks() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteBooks,
    meta: { inPlace: true },
    onSuccess: (_answer, ids) => notify.success(`${ids.length} books successfully deleted`),
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.bookPages }),
  });
}

/** Looks an ISBN up at external services; the field shows when none knows it. */
export function useFetchDetails() {
  return useMutation({
    mutationFn: (isbn: string) =>
      request(externalBookSchema, 'BookExternalFetch/fetch-from-external', { query: { isbn } }),
    meta: { inPlace: true },
  });
}
