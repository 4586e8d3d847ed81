import { useMutation, useQueryClient } from '@tanstack/react-query';
import { genreSchema, type Genre, type GenreBody } from '#contracts/catalogue/genre.js';
import { request } from '../../../lib/api/request.js';
import { labels } from '../../../domain/labels.js';
import { notify } from '../../../lib/notify.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { isSessionOver } from '../authorities/is-session-over.js';
import type { AuthoritySave, Named } from '../authorities/authority-dialog.js';

async function saveGenre({ body, edited }: AuthoritySave<GenreBody, Genre>): Promise<Named> {
  const saved = edited
    ? await request(genreSchema, `Genre/${edited.id}`, {
        method: 'PUT',
        body: { id: edited.id, ...body, version: edited.version },
      })
    : await request(genreSchema, 'Genre/add', { method: 'POST', body });
  return { id: saved.id, name: saved.name };
}

/** Adds or updates; a failure is also told in the dialog, which stays open. */
export function useSaveGenre() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: saveGenre,
    meta: { inPlace: true },
    onSuccess: (_saved, { edited }) => {
      notify.success(edited ? 'Genre successfully updated' : 'Genre successfully added');
      void client.invalidateQueries({ queryKey: queryKeys.genres });
      // Books are shown with the genre's name.
      if (edited) void client.invalidateQueries({ queryKey: queryKeys.books });
    },
    onError: (error, { edited }) => {
      if (!isSessionOver(error)) notify.error(edited ? labels.genreNotUpdated : 'Failed to add genre');
    },
  });
}
