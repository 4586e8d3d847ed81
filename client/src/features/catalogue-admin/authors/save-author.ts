import { useMutation, useQueryClient } from '@tanstack/react-query';
import { authorSchema, type Author, type AuthorBody } from '#contracts/catalogue/author.js';
import { request } from '../../../lib/api/request.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { isSessionOver } from '../authorities/is-session-over.js';
import type { AuthoritySave, Named } from '../authorities/authority-dialog.js';

async function saveAuthor({ body, edited }: AuthoritySave<AuthorBody, Author>): Promise<Named> {
  const saved = edited
    ? await request(authorSchema, `Author/${edited.id}`, {
        method: 'PUT',
        body: { id: edited.id, ...body, version: edited.version },
      })
    : await request(authorSchema, 'Author/add', { method: 'POST', body });
  return { id: saved.id, name: saved.fullname };
}

/** Adds or updates; a failure is also told in the dialog, which stays open. */
export function useSaveAuthor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: saveAuthor,
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? 'Author successfully updated' : 'Author successfully added');
      void client.invalidateQueries({ queryKey: queryKeys.authors });
      // Books are shown with the author's name.
      if (edited) void client.invalidateQueries({ queryKey: queryKeys.books });
    },
    onError: (error, { edited }) => {
      if (!isSessionOver(error)) notify.error(edited ? 'Failed to update author' : 'Failed to add author');
    },
  });
}
