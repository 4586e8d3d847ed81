import { useMutation, useQueryClient } from '@tanstack/react-query';
import { savedBookSchema } from '#contracts/catalogue/book-save.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { formDataOf, type BookToSave } from './book-form-values.js';

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
